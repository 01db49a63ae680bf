import type { ConsentWithText, TextLanguage } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { ConsentId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { toShownText, type ShownText } from './consent-texts.js'
import { selectTextsById } from './consent-texts.sql.js'
import type { ConsentRow } from './consents.sql.js'
import { findOurWords } from './default-texts.js'
import { describeConsent } from './describe-consent.js'

/** What a consent keeps of the text that was read. */
interface Signed {
  consentId: ConsentId
  textId: string | null
  textVersion: string
  language: TextLanguage | null
}

export interface SignedText extends ShownText {
  consentIds: ConsentId[]
}

/** The words as they were read, each once; a text never changes. Not those that a clinician said in words of their own. */
export async function readSignedTexts(
  db: Database,
  tenant: TenantScope,
  consents: readonly Signed[],
): Promise<SignedText[]> {
  const textIds = [...new Set(consents.flatMap(({ textId }) => textId ?? []))]
  const rows = textIds.length === 0 ? [] : await db.read(tenant, selectTextsById(tenant, textIds))
  const kept = new Map(rows.map((row) => [row.textId, row]))
  const found = new Map<string, SignedText>()
  for (const { consentId, textId, textVersion, language } of consents) {
    const name = textId ?? `${textVersion} ${language}`
    const known = found.get(name)
    if (known !== undefined) {
      known.consentIds.push(consentId)
      continue
    }
    const row = textId === null ? undefined : kept.get(textId)
    const ours = row === undefined && language !== null ? findOurWords(textVersion, language) : null
    if (row !== undefined) found.set(name, { ...toShownText(row), consentIds: [consentId] })
    else if (ours !== null && language !== null)
      found.set(name, {
        textId: null,
        version: textVersion,
        owner: 'casenote',
        language,
        text: ours,
        consentIds: [consentId],
      })
  }
  return [...found.values()]
}

/** The consent with the words that were read for it. */
export async function showConsent(
  db: Database,
  ring: TenantKeyRing,
  row: ConsentRow,
): Promise<ConsentWithText> {
  const [signed] = await readSignedTexts(db, { tenantId: ring.tenantId }, [row])
  return { ...describeConsent(ring, row), text: signed?.text ?? null }
}
