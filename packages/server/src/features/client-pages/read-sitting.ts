import type { PageAssessment, PageSitting, TextLanguage } from '@casenote/contract'
import type { ChangeSource } from '../../kernel/audit/index.js'
import type { OpeningId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { deriveKey, type TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { nextQuestions, type Question } from '../assessments/index.js'
import { fillForms, type AnsweredForm } from './answered-form.js'
import { selectNewestAnswers } from './answers.sql.js'
import { selectClinicOfClient, selectOutstanding } from './assignments.sql.js'
import type { ClientPagesParts } from './client-pages-parts.js'
import type { Opening } from './opening.js'

interface ReadIn {
  /** The language that was picked on the page; it goes before what the record says. */
  picked: TextLanguage | null
  /** What the browser asks for, best first. */
  languages: readonly string[]
}

/** Everything that the client can answer now, with where they left off. */
export async function readSitting(
  { db, keys, clock, reads, instruments }: ClientPagesParts,
  { tenant, clientId, openingId }: Opening,
  { picked, languages, actor, requestId }: ChangeSource & ReadIn,
): Promise<PageSitting> {
  const [clinics, outstanding] = await db.read(
    tenant,
    selectClinicOfClient(tenant, clientId),
    selectOutstanding(tenant, clientId),
  )
  const [clinic] = clinics
  if (clinic === undefined) throw refuse.notFound()
  const assignmentIds = outstanding.map(({ assignmentId }) => assignmentId)
  const rows = await db.read(tenant, selectNewestAnswers(tenant, assignmentIds))
  const ring = await keys.get(tenant)
  const wanted = [picked, clinic.language, ...languages].filter((language) => language !== null)
  const forms = fillForms({ ring, catalogue: await instruments.get() }, outstanding, {
    rows,
    languages: wanted,
  })
  const subjects = [clientId, ...assignmentIds]
  await reads.record(tenant, { operation: 'assessment.resume', actor, requestId, subjects })
  return {
    clinicName: clinic.clinicName,
    language: clinic.language,
    assessments: forms.map((form) => toPageAssessment(form, openingId)),
    storageKey: storageKeyOf(ring, openingId),
    nowMs: clock.nowMs(),
  }
}

const storageKeyOf = (ring: TenantKeyRing, openingId: OpeningId): string =>
  deriveKey(ring.newest('token'), `client page ${openingId}`).toString('base64')

function toPageAssessment(
  { assignmentId, instrument, answers }: AnsweredForm,
  openingId: OpeningId,
): PageAssessment {
  const shown = new Set(nextQuestions(instrument, answers).map(({ key }) => key))
  return {
    assignmentId,
    language: instrument.language ?? 'en',
    intro: instrument.intro,
    attribution: instrument.rights.attribution,
    questions: instrument.questions.map((question) => {
      const given = answers.find(({ questionKey }) => questionKey === question.key)
      return {
        ...wordQuestion(question),
        answer: given?.openingId === openingId ? given.answerValue : null,
        isAnswered: given !== undefined,
        isShown: shown.has(question.key),
      }
    }),
  }
}

const wordQuestion = (question: Question) => ({
  key: question.key,
  leadIn: question.leadIn,
  text: question.text,
  help: question.help,
  options: question.options.map(({ value, text }) => ({ value, text: text ?? String(value) })),
  onlyIf: [...question.onlyIf],
  isReversed: question.isReversed,
  pointsIfSkipped: question.pointsIfSkipped,
  selfHarmFrom: question.selfHarmFrom,
})
