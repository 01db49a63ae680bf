import { nameMatter, nameMatters, nameStated } from '../../ledger/name-matters.js'
import { readDangers } from '../../ledger/read-dangers.js'
import type { Finding } from '../../reader/reading.js'
import { isOwed, nameAll, nameOwed } from '../owed.js'
import { templateOf } from '../templates/built-in-templates.js'
import type { DraftSection, JudgedSentence, WritingRequest } from '../writer-engine.js'
import { Summary } from './answer-schemas.js'
import { askForJson } from './ask-for-json.js'
import { openSession } from './gather-material.js'
import { judgeSections } from './judge-sections.js'
import { listUnsaid } from './list-unsaid.js'
import { summarizeTask } from './prompts.js'
import { toTask, type ProseParts } from './prose-parts.js'
import { readSentence } from './read-draft.js'
import { estimateTokens } from './token-budget.js'

/**
 * A summary shows no evidence and no marks: what is refused is not in it, danger of now that it leaves out is quoted first,
 * and what else may not be left out is named last, with the matters of what was refused.
 */
export async function summarize(
  parts: ProseParts,
  request: WritingRequest,
  signal: AbortSignal,
): Promise<string> {
  if (request.transcript.length === 0) return 'The recording has no intelligible speech.'
  const rules = summarizeTask(templateOf(request))
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
  const unsaid = await listUnsaid(parts, request, {
    sentences: kept,
    owed: request.reading.findings.filter(isOwed),
  })
  const quotes = unsaid.filter(isPresentDanger).map(({ words }) => `Said about danger: “${words}”`)
  const others = unsaid.filter((one) => !isPresentDanger(one))
  const named = nameAll(others, nameOwed)
  const also = named.length === 0 ? [] : [`Also said: ${named.join('; ')}.`]
  const refused = (judged?.sentences ?? []).filter(({ judgement }) => judgement === 'refused')
  return (
    [...quotes, ...kept.map(({ text }) => text), ...also, ...nameRefused(refused)].join(' ') ||
    nothingBorneOut
  )
}

/** Nobody sees what is refused, so that it was about danger, or what else may not go unnamed, is said; in which words is not. */
const nameRefused = (refused: readonly JudgedSentence[]): string[] => {
  const names = new Set(refused.filter(({ text }) => nameMatters(text).length > 0).flatMap(listNames))
  return names.size === 0 ? [] : [`Left out, as the session did not bear it out: ${[...names].join('; ')}.`]
}

const listNames = ({ text }: JudgedSentence): string[] => {
  const dangers = readDangers(text).map(nameStated)
  return dangers.length > 0 ? dangers : [nameMatter(text).name]
}

const nothingBorneOut = 'No sentence of a summary was borne out by the session; see the note.'

const isPresentDanger = (finding: Finding): boolean => finding.kind === 'danger' && finding.time === 'present'
