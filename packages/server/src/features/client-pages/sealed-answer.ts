import { sealJson, unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { AnswerRow } from './answers.sql.js'

/** What was answered, and in which language it was asked. */
interface SealedAnswer {
  value: number
  language: string
}

type Place = Pick<AnswerRow, 'assignmentId' | 'answerId' | 'questionKey'>

const placeOf = ({ assignmentId, answerId, questionKey }: Place): JsonPlace<SealedAnswer> => ({
  table: 'assessment_answers',
  row: `${assignmentId}/${answerId}/${questionKey}`,
  column: 'sealed_answer',
})

export const sealAnswer = (ring: TenantKeyRing, of: Place, answer: SealedAnswer): Buffer =>
  sealJson(ring, placeOf(of), answer)

export const unsealAnswer = (ring: TenantKeyRing, row: AnswerRow): SealedAnswer =>
  unsealJson(ring, placeOf(row), row.sealedAnswer)
