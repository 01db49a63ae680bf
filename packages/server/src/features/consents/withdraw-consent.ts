import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type ClientId, type ConsentId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { lockClient } from '../clients/index.js'
import {
  insertWord,
  selectConsent,
  selectRefusals,
  selectStandingConsents,
  type ConsentRow,
  type Sayer,
} from './consents.sql.js'
import { consentsMax, consentSubjects, tellPartner } from './give-consent.js'

interface Withdrawal extends Sayer {
  clientId: ClientId
  operation: string
}

/** One consent, whoever gave it. Withdrawn already, it is as it was: no second word, no second event. */
export async function withdrawConsent(
  tx: Tx,
  context: ChangeContext,
  { consentId, ...given }: Withdrawal & { consentId: ConsentId },
): Promise<ConsentRow> {
  const { clientId } = given
  await tx.run(lockClient(tx.tenant, clientId))
  const consent = await getConsent(tx, clientId, consentId)
  if (consent.withdrawnAt !== null) return consent
  await takeBack(tx, context, given, [consent])
  return getConsent(tx, clientId, consentId)
}

/**
 * All that the client, or who speaks for them, had given. Where there is nothing of it, it is a "no", which is kept as well if
 * `refusedText` says to what.
 */
export async function withdrawAll(
  tx: Tx,
  context: ChangeContext,
  { refusedText, ...given }: Withdrawal & { refusedText: string | null },
): Promise<void> {
  const { clientId } = given
  await tx.run(lockClient(tx.tenant, clientId))
  const standing = await tx.run(selectStandingConsents(tx.tenant, clientId, consentsMax))
  if (standing.length > 0) return takeBack(tx, context, given, standing)
  if (refusedText === null) return
  const [refusals] = await tx.run(selectRefusals(tx.tenant, clientId, refusedText))
  // The newest word of the client is this refusal already, or as many refusals are kept as there may be consents: the last one holds all the same.
  if (refusals?.isNewest === true || (refusals?.total ?? 0) >= consentsMax) return
  const refusal = {
    ...given,
    consentId: newId(),
    textVersion: refusedText,
    isGiven: false,
    withdraws: null,
    relation: 'self',
    method: 'by_word',
    language: null,
    textId: null,
    sealedPerson: null,
  } as const
  await tx.run(insertWord(tx.tenant, refusal))
  await recordWithdrawal(tx, context, given, [])
}

async function takeBack(
  tx: Tx,
  context: ChangeContext,
  given: Withdrawal,
  consents: readonly ConsentRow[],
): Promise<void> {
  const { saidTo, clinicianId } = given
  for (const { consentId, clientId, relation, method, textVersion, language } of consents) {
    const word = { clientId, relation, method, textVersion, language, saidTo, clinicianId }
    const about = {
      consentId: newId(),
      withdraws: consentId,
      isGiven: false,
      textId: null,
      sealedPerson: null,
    }
    await tx.run(insertWord(tx.tenant, { ...word, ...about }))
  }
  for (const consent of consents) await tellPartner(tx, context, 'consent_withdrawn', consent)
  await recordWithdrawal(
    tx,
    context,
    given,
    consents.map(({ consentId }) => consentId),
  )
}

async function recordWithdrawal(
  tx: Tx,
  { actor, requestId }: ChangeContext,
  given: Withdrawal,
  consentIds: readonly ConsentId[],
): Promise<void> {
  const { operation } = given
  await recordChange(tx, { operation, actor, requestId, subjects: consentSubjects(given, consentIds) })
}

async function getConsent(tx: Tx, clientId: ClientId, consentId: ConsentId): Promise<ConsentRow> {
  const [row] = await tx.run(selectConsent(tx.tenant, clientId, consentId))
  if (row === undefined) throw refuse.notFound()
  return row
}
