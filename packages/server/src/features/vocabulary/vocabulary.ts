import type { Vocabulary, VocabularyAddition, VocabularyTerm } from '@casenote/contract'
import { isEverydayPhrase } from '../../engines/lexicon/correct-vocabulary.js'
import { CLAIM_WORDS } from '../../engines/reader/danger/claim-words.js'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import { newId, type ClinicianId, type TermId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { sealJson, unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import {
  deleteTerm,
  insertTerm,
  lockVocabulary,
  selectClinicOf,
  selectTerms,
  termsMax,
  updateTerm,
  type TermRow,
} from './vocabulary.sql.js'

/** What one word is misheard as differs from voice to voice, and not without end. */
const heardMax = 10

const termPlace = (termId: TermId): JsonPlace<Pick<VocabularyTerm, 'term' | 'heard'>> => ({
  table: 'vocabulary_terms',
  row: termId,
  column: 'sealed_term',
})

const describeTerm = (ring: TenantKeyRing, { termId, clinicianId, sealedTerm }: TermRow): VocabularyTerm => ({
  id: termId,
  scope: clinicianId === null ? 'clinic' : 'clinician',
  ...unsealJson(ring, termPlace(termId), sealedTerm),
})

/** The clinician's own and their clinic's; the clinician's come last, so that they win. */
export async function readVocabulary(
  db: Database,
  ring: TenantKeyRing,
  clinicianId: ClinicianId,
): Promise<Vocabulary> {
  const tenant = { tenantId: ring.tenantId }
  const rows = await db.read(tenant, selectTerms(tenant, clinicianId))
  const terms = rows.map((row) => describeTerm(ring, row))
  return { terms: terms.toSorted((one, other) => one.scope.localeCompare(other.scope)), termsMax }
}

/** A term that is there already learns one more way in which it is misheard. */
export async function addTerm(
  tx: Tx,
  context: ChangeContext,
  clinicianId: ClinicianId,
  { scope, ...given }: VocabularyAddition,
): Promise<void> {
  const { ring } = context
  const term = given.term.trim()
  const heard = given.heard?.trim() ?? null
  requireUsable(term, heard)
  const [clinic] = await tx.run(selectClinicOf(tx.tenant, clinicianId))
  if (clinic === undefined) throw new Error('a clinician has no clinic')
  await tx.run(lockVocabulary(clinic.clinicId))
  const rows = await tx.run(selectTerms(tx.tenant, clinicianId))
  const known = rows.map((row) => describeTerm(ring, row)).filter((one) => one.scope === scope)
  const same = known.find((one) => one.term.toLowerCase() === term.toLowerCase())
  const words = { term, heard: addHeard(same?.heard ?? [], heard) }
  const termId = same?.id ?? newId()
  const sealedTerm = sealJson(ring, termPlace(termId), words)
  if (same !== undefined) await tx.run(updateTerm(tx.tenant, termId, sealedTerm))
  else {
    if (known.length >= termsMax)
      throw refuse.conflict('vocabulary_full', `There are ${termsMax} words already: remove one first`)
    const owner = scope === 'clinic' ? null : clinicianId
    await tx.run(insertTerm(tx.tenant, { ...clinic, termId, clinicianId: owner, sealedTerm }))
  }
  await record(tx, context, 'vocabulary.add', termId)
}

export async function removeTerm(
  tx: Tx,
  context: ChangeContext,
  clinicianId: ClinicianId,
  termId: TermId,
): Promise<void> {
  if ((await tx.run(deleteTerm(tx.tenant, clinicianId, termId))).length === 0) return
  await record(tx, context, 'vocabulary.remove', termId)
}

const record = (tx: Tx, { actor, requestId }: ChangeContext, operation: string, termId: TermId) =>
  recordChange(tx, { operation, actor, requestId, subjects: [termId] })

const addHeard = (known: readonly string[], heard: string | null): string[] =>
  heard === null || known.some((one) => one.toLowerCase() === heard.toLowerCase())
    ? [...known]
    : [...known, heard].slice(-heardMax)

function requireUsable(term: string, heard: string | null): void {
  const problems = [
    ...(/\p{L}{2}/u.test(term) ? [] : ['term must be a word']),
    ...(heard === null || /\p{L}/u.test(heard) ? [] : ['heard must be a word']),
  ]
  if (problems.length > 0) throw refuse.invalid(problems)
  if (heard !== null && CLAIM_WORDS.some(({ words }) => words.test(heard)))
    throw refuse.rule('word_not_allowed', `“${heard}” speaks of danger, which must stay as it was said`)
  if (heard !== null && isEverydayPhrase(heard))
    throw refuse.rule(
      'word_not_allowed',
      `“${heard}” is said every day: it would be changed wherever somebody says it`,
    )
}
