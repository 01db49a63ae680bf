import type { Edit } from './answer-schemas.js'
import type { Verdict } from './ask-for-json.js'
import { keepOwnWords } from './keep-own-words.js'
import { judgeEdit, type AskedEdit, type EditDraft, type JudgedEdit } from './read-edit.js'
import { readJudgedSection } from './read-note-section.js'
import type { JudgedSection } from '../writer-engine.js'

/** A model's answer to a magic edit, and what it was asked about. */
export interface TakeEditRequest {
  answer: Edit
  request: AskedEdit
}

export type TakenEdit =
  | (EditDraft & {
      /** The note as it was, read sentence by sentence. */
      before: JudgedSection[]
    })
  | Exclude<JudgedEdit, EditDraft>

/** Reads the answer and puts what the clinician wrote themselves back into it. */
export function takeEdit({ answer, request }: TakeEditRequest): Verdict<TakenEdit> {
  const verdict = judgeEdit(answer, request)
  if (!('value' in verdict)) return verdict
  const { value } = verdict
  if (!value.isDone) return { value }
  return { value: { ...keepOwnWords(request, value), before: request.note.map(readJudgedSection) } }
}
