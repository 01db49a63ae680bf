import {
  pickLanguage,
  type Consent,
  type ConsentMethod,
  type ConsentRelation,
  type TextLanguage,
  type TextOwner,
} from '@casenote/contract'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type ClientId, type ClinicianId, type ConsentId } from '../../kernel/ids.js'
import { recordEvent } from '../../kernel/outbox/index.js'
import { refuse } from '../../kernel/refuse.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { lockClient } from '../clients/index.js'
import { findTextOf, getShownText } from './consent-texts.js'
import {
  countConsents,
  insertWord,
  selectClientOfConsent,
  selectConsent,
  selectConsentState,
  type ConsentRow,
  type Sayer,
} from './consents.sql.js'
import { describeConsent, personPlace } from './describe-consent.js'

/** More than a family that signs anew each month for years. What takes back is not counted. */
export const consentsMax = 500

interface GivenConsent extends Sayer {
  clientId: ClientId
  relation: ConsentRelation
  method: ConsentMethod
  textVersion: string
  /** Null: whoever's, the organization's first. */
  textOwner: TextOwner | null
  /** As it was shown with the text. Null: ours, or whoever sends it does not know it. */
  textId: string | null
  /** Null: that of the text, else of the client. */
  language: TextLanguage | null
  /** As it was typed; null: the client, whose name is known. */
  personName: string | null
  /** The one of the route. */
  operation: string
  /** Chosen by the sender, whose answer may be lost: sent again it is the same consent. */
  consentId?: ConsentId | undefined
  /** A frame of an earlier version names the words that it had the clinician say: then the version alone is kept. */
  isTextUnknownTaken?: boolean
}

/** Somebody agrees that the client is recorded. The word, its event and its audit entry commit together. */
export async function giveConsent(tx: Tx, context: ChangeContext, given: GivenConsent): Promise<ConsentRow> {
  const { clientId, relation, method, operation } = given
  const personName = given.personName?.trim() ?? null
  if (personName === null && (relation !== 'self' || method !== 'by_word'))
    throw refuse.invalid(['personName must be given, unless the client agreed by word'])
  // A session that is being opened locks the client, too: a withdrawal comes before it or after it.
  const [client] = await tx.run(lockClient(tx.tenant, clientId))
  const known = await findKnown(tx, context.ring, { ...given, personName })
  if (known !== null) return known
  const text = await getText(tx, given, client?.language ?? null)
  if (client?.status === 'archived') throw refuse.conflict('client_archived', 'Client is archived')
  const [count] = await tx.run(countConsents(tx.tenant, clientId))
  if ((count?.total ?? 0) >= consentsMax)
    throw refuse.conflict('consents_full', `The client has ${consentsMax} consents, and no room for more`)
  const consentId = given.consentId ?? newId()
  const own = context.ring.forClient(clientId)
  await tx.run(
    insertWord(tx.tenant, {
      ...given,
      ...text,
      consentId,
      sealedPerson: personName === null ? null : sealJson(own, personPlace(consentId), { name: personName }),
      isGiven: true,
      withdraws: null,
    }),
  )
  await tellPartner(tx, context, 'consent_given', { clientId, consentId, relation, method })
  const { actor, requestId } = context
  await recordChange(tx, { operation, actor, requestId, subjects: consentSubjects(given, [consentId]) })
  const [row] = await tx.run(selectConsent(tx.tenant, clientId, consentId))
  if (row === undefined) throw new Error('a consent that was kept is not there')
  return row
}

/** By its id, whichever clinic the client is of by now; else by what else is said of it, at the clinic of now. */
async function getText(
  tx: Tx,
  { textId, ...given }: GivenConsent,
  languageOfClient: string | null,
): Promise<{ textId: string | null; language: TextLanguage }> {
  if (textId !== null) {
    const { language } = await getShownText(tx, { ...given, textId })
    return { textId, language }
  }
  const { clientId, textVersion: version, textOwner: owner } = given
  const language = given.language ?? pickLanguage([languageOfClient]) ?? 'en'
  const found = await findTextOf(tx, { clientId, language, version, owner })
  if (found === null && given.isTextUnknownTaken !== true)
    throw refuse.invalid(['textVersion must be a version of a consent text in this language'])
  return { textId: found?.textId ?? null, language }
}

async function findKnown(tx: Tx, ring: TenantKeyRing, given: GivenConsent): Promise<ConsentRow | null> {
  const { clientId, consentId } = given
  if (consentId === undefined) return null
  const [of] = await tx.run(selectClientOfConsent(tx.tenant, consentId))
  if (of === undefined) return null
  const [row] = await tx.run(selectConsent(tx.tenant, clientId, consentId))
  // Of another client, or a word that takes back: whoever sends it has not chosen a new one.
  if (row === undefined) throw refuse.invalid(['consentId must be a new one'])
  if (row.withdrawnAt !== null || !isSame(describeConsent(ring, row), given))
    throw refuse.conflict('consent_differs', 'Another consent has this id, or it was withdrawn since')
  return row
}

/** What nobody said, anybody's will do. */
const isSame = (known: Consent, given: GivenConsent): boolean =>
  known.relation === given.relation &&
  known.method === given.method &&
  known.personName === given.personName &&
  known.textVersion === given.textVersion &&
  (['textOwner', 'textId', 'language'] as const).every(
    (name) => given[name] === null || known[name] === given[name],
  )

export const consentSubjects = (
  { clientId, clinicianId }: { clientId: ClientId; clinicianId: ClinicianId | null },
  consentIds: readonly ConsentId[],
): string[] => [clientId, ...(clinicianId === null ? [] : [clinicianId]), ...consentIds]

export async function tellPartner(
  tx: Tx,
  { publicUrl, nowMs }: ChangeContext,
  eventType: 'consent_given' | 'consent_withdrawn',
  {
    clientId,
    consentId,
    relation,
    method,
  }: Pick<ConsentRow, 'clientId' | 'consentId' | 'relation' | 'method'>,
): Promise<void> {
  const [found] = await tx.run(selectConsentState(tx.tenant, clientId))
  await recordEvent(tx, {
    eventType,
    payload: {
      clientId,
      consentId,
      relation,
      method,
      recordingConsent: found?.state ?? 'none',
      consentsUrl: `${publicUrl}/v2/clients/${clientId}/consents`,
    },
    onceKey: `${eventType}/${consentId}`,
    nowMs,
  })
}
