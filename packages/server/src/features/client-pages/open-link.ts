import { timingSafeEqual } from 'node:crypto'
import type { LinkKind, LinkOpening, OpenedLink } from '@casenote/contract'
import type { PageContext } from '../../http/page-api.js'
import { recordChange, sealAddressOfClient } from '../../kernel/audit/index.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import { hashLinkToken, newLinkToken, readLinkTenant } from '../../kernel/link-tokens.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import { applyClientAction } from '../clients/index.js'
import { keepOutstanding, markOpened } from './assignments.sql.js'
import { chargeTry, forgetTries, selectLink, type LinkRow } from './links.sql.js'
import { insertOpening } from './openings.sql.js'

/** The number: enough for day and month swapped and a slip or two, far too few to guess one of 30,000 days. */
const wrongTriesMax = 5

interface FoundLink extends LinkRow {
  kind: LinkKind
  tokenHash: Buffer
}

/**
 * Null for an unknown, expired, revoked or locked link as for a wrong birth date: who asks is told the same. A locked
 * link stays closed for the right date as well, or the lock would only slow the guessing down.
 */
export async function openLink(
  { db, keys }: { db: Database; keys: TenantKeys },
  { kind, token, dateOfBirth }: LinkOpening,
  { requestId, address, suspect }: Pick<PageContext<never>, 'requestId' | 'address' | 'suspect'>,
): Promise<OpenedLink | null> {
  const tenant = readLinkTenant(token)
  if (tenant === null) return null
  const tokenHash = hashLinkToken(token)
  const [link] = await db.read(tenant, selectLink(tenant, kind, tokenHash))
  if (link === undefined) return null
  // Also of a wrong date: as a rule it is the client who swapped day and month.
  const from = sealAddressOfClient(await keys.get(tenant), link.clientId, address)
  const found = { ...link, kind, tokenHash }
  const opened = await db.write(tenant, (tx) => tryDate(tx, found, dateOfBirth, { requestId, from }))
  if (opened !== 'locked') return opened
  const { clientId } = link
  suspect({ tenant, actor: { kind: 'client', id: null }, subjects: [clientId], clientId })
  return null
}

async function tryDate(
  tx: Tx,
  link: FoundLink,
  dateOfBirth: string,
  { requestId, from }: { requestId: string; from: string | undefined },
): Promise<OpenedLink | 'locked' | null> {
  const [charged] = await tx.run(chargeTry(tx.tenant, link, wrongTriesMax))
  if (charged === undefined) return 'locked'
  const subjects = [...new Set([link.clientId, link.subjectId])]
  if (!isSameText(dateOfBirth, link.dateOfBirth)) {
    const operation = charged.wrongTries < wrongTriesMax ? 'clientLink.refuse' : 'clientLink.lock'
    // Somebody has the link; whether it is the client is just what is not known.
    await recordChange(tx, { operation, actor: { kind: 'client', id: null, from }, requestId, subjects })
    return null
  }
  await tx.run(forgetTries(tx.tenant, link.tokenHash))
  const actor = { kind: 'client', id: link.clientId, from } as const
  await recordChange(tx, { operation: 'clientLink.open', actor, requestId, subjects })
  if (link.kind === 'invitation') await applyClientAction(tx, link.clientId, 'openInvitation')
  else if (link.kind === 'assessments') {
    await tx.run(keepOutstanding(tx.tenant, link.clientId))
    await tx.run(markOpened(tx.tenant, link.clientId))
  }
  return { bearer: await letIn(tx, link) }
}

async function letIn(tx: Tx, { clientId, kind, tokenHash }: FoundLink): Promise<string> {
  const bearer = newLinkToken(tx.tenant)
  const opening = { openingId: newId(), clientId, linkHash: tokenHash }
  await tx.run(insertOpening(tx.tenant, { ...opening, kind, bearerHash: hashLinkToken(bearer) }))
  return bearer
}

function isSameText(given: string, known: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(known)]
  return one.length === other.length && timingSafeEqual(one, other)
}
