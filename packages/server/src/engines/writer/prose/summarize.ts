import type { DangerFinding } from '../../reader/reading.js'
import { toNoteSections } from '../to-note-sections.js'
import type { DraftSection, JudgedSection, WritingRequest } from '../writer-engine.js'
import { Summary } from './answer-schemas.js'
import { askForJson } from './ask-for-json.js'
import { openSession } from './gather-material.js'
import { judgeSections } from './judge-sections.js'
import { summarizeTask } from './prompts.js'
import { toTask, type ProseParts } from './prose-parts.js'
import { readSentence } from './read-draft.js'
import { estimateTokens } from './token-budget.js'

/** A summary shows no evidence and no marks: what is refused is not in it, and danger that it leaves out is quoted first. */
export async function summarize(
  parts: ProseParts,
  request: WritingRequest,
  signal: AbortSignal,
): Promise<string> {
  if (request.transcript.length === 0) return 'The recording has no intelligible speech.'
  const rules = summarizeTask(request.noteType)
  const schema = Summary(request.transcript.length)
  const promptTokens = estimateTokens(rules + JSON.stringify(schema))
  const session = await openSession(parts, request, promptTokens, signal)
  const task = toTask(
    'summary',
    { material: session.material, rules },
    { schema, outputTokensMax: Math.min(parts.budget.outputTokensMax, 2_048) },
  )
  const draft = await askForJson(
    parts.model,
    task,
    ({ sentences }) => {
      const told = sentences.flatMap(readSentence).filter(({ transcriptItems }) => transcriptItems.length > 0)
      if (told.length === 0) return { problem: 'no sentence rests on an item' }
      return { value: { key: 'summary', layout: 'paragraph', sentences: told } satisfies DraftSection }
    },
    signal,
  )
  const [judged] = await judgeSections(parts, session, [draft], [], signal)
  const kept = (judged?.sentences ?? []).filter(({ judgement }) => judgement !== 'refused')
  const unsaid = await listUnsaid(parts, request, [{ key: 'summary', layout: 'paragraph', sentences: kept }])
  const quotes = unsaid.map(({ words }) => `Said about danger: “${words}”`)
  return [...quotes, ...kept.map(({ text }) => text)].join(' ') || nothingBorneOut
}

const nothingBorneOut = 'No sentence of a summary was borne out by the session; see the note.'

/** Present danger that somebody affirmed or left open, and that the summary does not tell. */
async function listUnsaid(
  { checker }: ProseParts,
  { noteType, transcript, reading }: WritingRequest,
  sections: readonly JudgedSection[],
): Promise<DangerFinding[]> {
  const findings = reading.findings.filter(
    (finding) =>
      finding.kind === 'danger' &&
      finding.certainty === 'plain' &&
      finding.standing !== 'denied' &&
      finding.time === 'present',
  )
  if (findings.length === 0) return []
  const { entries } = await checker.compare({
    sections: toNoteSections(noteType, sections),
    findings,
    transcript,
  })
  return entries.flatMap(({ finding, state }) =>
    state !== 'stated' && finding.kind === 'danger' ? [finding] : [],
  )
}
