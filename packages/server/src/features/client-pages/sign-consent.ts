import { pickLanguage, type PageConsent, type PageSignature } from '@casenote/contract'
import type { ChangeSource } from '../../kernel/audit/index.js'
import { openChange } from '../../kernel/change-context.js'
import { refuse } from '../../kernel/refuse.js'
import {
  giveConsent,
  readNewestConsents,
  readSignedTexts,
  readTextFor,
  withdrawAll,
} from '../consents/index.js'
import { selectClinicOfClient } from './assignments.sql.js'
import type { ClientPagesParts } from './client-pages-parts.js'
import type { Opening } from './opening.js'

/** What the person picked to read on the page, and what their browser asks for. */
interface Reader {
  picked: string | null
  languages: readonly string[]
}

const byClient = { saidTo: 'client', clinicianId: null } as const

/** What the client is asked, and what they said to it so far. */
export async function viewConsent(
  parts: ClientPagesParts,
  opening: Opening,
  reader: Reader & ChangeSource,
): Promise<PageConsent> {
  const { tenant, clientId } = opening
  const shown = await describeForPage(parts, opening, reader)
  const { actor, requestId } = reader
  await parts.reads.record(tenant, { actor, requestId, operation: 'consent.view', subjects: [clientId] })
  return shown
}

/** Typed name, tick and time: the text that was on the page is the one that was signed, whichever is newer by now. */
export async function signConsent(
  parts: ClientPagesParts,
  opening: Opening,
  {
    personName,
    relation,
    textVersion,
    textOwner,
    textId,
    consentId,
    language,
    ...reader
  }: PageSignature & Reader & ChangeSource,
): Promise<PageConsent> {
  const { tenant, clientId } = opening
  const context = await openChange(parts, tenant, reader)
  const text = { textVersion, textOwner: textOwner ?? null, textId: textId ?? null, language }
  const given = { clientId, consentId, personName, relation, ...text, ...byClient }
  await parts.db.write(tenant, (tx) =>
    giveConsent(tx, context, { ...given, method: 'signed_on_page', operation: 'consent.sign' }),
  )
  return describeForPage(parts, opening, reader)
}

/** Twice is once. */
export async function takeBackConsent(
  parts: ClientPagesParts,
  opening: Opening,
  reader: Reader & ChangeSource,
): Promise<PageConsent> {
  const { tenant, clientId } = opening
  const context = await openChange(parts, tenant, reader)
  await parts.db.write(tenant, (tx) =>
    withdrawAll(tx, context, { clientId, refusedText: null, operation: 'consent.takeBack', ...byClient }),
  )
  return describeForPage(parts, opening, reader)
}

async function describeForPage(
  { db, keys }: ClientPagesParts,
  { tenant, clientId }: Opening,
  { picked, languages }: Reader,
): Promise<PageConsent> {
  const [row] = await db.read(tenant, selectClinicOfClient(tenant, clientId))
  if (row === undefined) throw refuse.notFound()
  const wanted = pickLanguage([picked, row.language, ...languages])
  const { state, consents, rows } = await readNewestConsents(db, await keys.get(tenant), {
    clientId,
    isOwn: true,
  })
  return {
    ...row,
    state,
    text: await readTextFor(db, tenant, { clientId, languages: [wanted] }),
    signedTexts: await readSignedTexts(db, tenant, rows),
    consents: consents.map(({ id, personName, relation, method, textVersion, givenAt, withdrawnAt }) => ({
      id,
      personName,
      relation,
      method,
      textVersion,
      givenAt,
      withdrawnAt,
    })),
  }
}
