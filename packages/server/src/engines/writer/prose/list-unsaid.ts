import type { Finding } from '../../reader/reading.js'
import { templateOf } from '../templates/built-in-templates.js'
import { toNoteSections } from '../to-note-sections.js'
import type { JudgedSentence, WritingRequest } from '../writer-engine.js'
import type { ProseParts } from './prose-parts.js'

/** What these sentences do not tell of what they owe, by the ledger. */
export async function listUnsaid(
  { checker }: ProseParts,
  request: WritingRequest,
  { sentences, owed }: { sentences: readonly JudgedSentence[]; owed: readonly Finding[] },
): Promise<Finding[]> {
  if (owed.length === 0) return []
  const { entries } = await checker.compare({
    sections: toNoteSections(templateOf(request), [{ key: 'told', layout: 'paragraph', sentences }]),
    findings: owed,
    transcript: request.transcript,
  })
  return entries.flatMap(({ finding, state }) => (state === 'stated' ? [] : [finding]))
}
