import { pickLanguage, type TextLanguage, type TextOwner } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import { newId, type ClientId, type ClinicId, type OrganizationId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  insertText,
  selectClinicOrganization,
  selectOrganizationName,
  selectShownText,
  selectTextFor,
  selectTexts,
  type TextRow,
} from './consent-texts.sql.js'
import { defaultTexts, defaultVersion, spokenVersions } from './default-texts.js'

export interface ShownText {
  /** Null: ours. */
  textId: string | null
  version: string
  owner: TextOwner
  language: TextLanguage
  text: string
}

/** What this client is asked to agree to now, in the first of these languages that there are words in. */
export async function readTextFor(
  db: Database,
  tenant: TenantScope,
  { clientId, languages }: { clientId: ClientId; languages: readonly (string | null | undefined)[] },
): Promise<ShownText> {
  const language = pickLanguage(languages) ?? 'en'
  const [row] = await db.read(
    tenant,
    selectTextFor(tenant, { clientId, language, version: null, owner: null }),
  )
  return row === undefined
    ? { textId: null, version: defaultVersion, owner: 'casenote', language, text: defaultTexts[language] }
    : toShownText(row)
}

export const toShownText = (row: TextRow): ShownText => ({
  textId: row.textId,
  version: row.version,
  owner: ownerOf(row),
  language: row.language,
  text: row.body,
})

function ownerOf({ organizationId, clinicId }: Pick<TextRow, 'organizationId' | 'clinicId'>): TextOwner {
  if (clinicId !== null) return 'clinic'
  return organizationId === null ? 'partner' : 'organization'
}

/** Which text it was that somebody agreed to, by its id. What else they say of it must be true of it. */
export async function getShownText(
  tx: Tx,
  given: {
    clientId: ClientId
    textId: string
    textVersion: string
    textOwner: TextOwner | null
    language: TextLanguage | null
  },
): Promise<Pick<TextRow, 'textId' | 'language'>> {
  const [row] = await tx.run(selectShownText(tx.tenant, given))
  if (row === undefined)
    throw refuse.invalid(['textId must be a consent text that the client can have been shown'])
  const actual = { textVersion: row.version, textOwner: ownerOf(row), language: row.language }
  const problems = (['textVersion', 'textOwner', 'language'] as const)
    .filter((name) => given[name] !== null && given[name] !== actual[name])
    .map((name) => `${name} must be that of the text with this textId`)
  if (problems.length > 0) throw refuse.invalid(problems)
  return row
}

/**
 * Which text it was that somebody agreed to, where they do not name its id: of their clinic of now. Null: there is none of this version
 * that the client could have read.
 */
export async function findTextOf(
  tx: Tx,
  wanted: { clientId: ClientId; language: TextLanguage; version: string; owner: TextOwner | null },
): Promise<{ textId: string | null } | null> {
  const [row] = await tx.run(selectTextFor(tx.tenant, wanted))
  if (row !== undefined) return { textId: row.textId }
  const mayBeOurs = wanted.owner === null || wanted.owner === 'casenote'
  const isOurs = wanted.version === defaultVersion || wanted.version === spokenVersions[wanted.language]
  return mayBeOurs && isOurs ? { textId: null } : null
}

/** Nobody else adds a text of such a name. */
export const isOurVersion = (version: string): boolean =>
  version === defaultVersion || Object.values(spokenVersions).includes(version)

/** As many as an operator looks through. */
const listedMost = 200

export const listTexts = async (owner: Database, tenant: TenantScope): Promise<TextRow[]> =>
  await owner.read(tenant, selectTexts(tenant, listedMost))

/** Whose texts are meant: one clinic's, one organization's, or those for all of the partner's. */
interface TextFor {
  organizationId: OrganizationId | null
  clinicId?: ClinicId | null
}

async function getOrganizationOf(
  tx: Tx,
  { organizationId, clinicId = null }: TextFor,
): Promise<OrganizationId | null> {
  if (clinicId !== null) {
    const [clinic] = await tx.run(selectClinicOrganization(tx.tenant, clinicId))
    if (clinic === undefined || (organizationId !== null && organizationId !== clinic.organizationId))
      throw new Error(
        `there is no clinic ${clinicId} of this ${organizationId === null ? 'partner' : 'organization'}`,
      )
    return clinic.organizationId
  }
  if (organizationId === null) return null
  const [organization] = await tx.run(selectOrganizationName(tx.tenant, organizationId))
  if (organization === undefined)
    throw new Error(`there is no organization ${organizationId} of this partner`)
  return organizationId
}

/** From now on it is the one that is shown. What was signed keeps the one that was signed. */
export async function addText(
  tx: Tx,
  source: ChangeSource,
  given: TextFor & { language: TextLanguage; version: string; body: string },
): Promise<string> {
  const { version, clinicId = null } = given
  const organizationId = await getOrganizationOf(tx, given)
  if (isOurVersion(version))
    throw new Error(`${version} is a version of the text that comes with Casenote: choose another`)
  const textId = newId()
  const [added] = await tx.run(insertText(tx.tenant, { ...given, organizationId, clinicId, textId }))
  if (added === undefined)
    throw new Error(
      `there is a text of version ${version} already, and somebody may have signed it: choose another`,
    )
  await recordChange(tx, { ...source, operation: 'consentText.add', subjects: [textId] })
  return textId
}
