import { setImmediate as nextTurn } from 'node:timers/promises'
import { EngineFault } from '../../engine-fault.js'
import type { NamedItem } from '../../named-item.js'
import { findAccount, type Account } from '../is-account.js'
import { factLengthMax, Facts, type Fact } from './answer-schemas.js'
import { askByWindows } from './ask-by-windows.js'
import { askForJson } from './ask-for-json.js'
import type { Reading } from '../../reader/reading.js'
import { toTask, type ProseParts, type Session } from './prose-parts.js'
import { ask, extractFactsTask, ofDictation, ofLanguage, ofPeople, prefix } from './prompts.js'
import { quoteItem, quoteText, quoteTranscript, readText } from './quote-data.js'
import {
  estimateItemTokens,
  estimateTokens,
  splitWindows,
  type TokenBudget,
  type Window,
} from './token-budget.js'

/** Three hours are three windows with 32,768 tokens; more than this is a context too small for the task. */
const windowsMax = 16

/** The smallest window is a quarter of an hour; fewer facts would be a note with holes that nobody sees. */
const factsPerWindowMin = 10

/** More than a minute of talk: long enough for a question, its answer and what came of it. */
const overlapTokens = 400

/** A fact in the next prompt: its text, topic and item numbers; as JSON in the answer. */
const tokensPerFact = Math.ceil(factLengthMax / 4) + 30

/** For the task's wish to repair an answer, and the tags. */
const tokensAround = 200

/**
 * What the tasks of one job are written from: the transcript, if it fits beside the longest of their prompts; else facts
 * with item numbers, taken from overlapping windows, as many as fit.
 */
export async function openSession(
  parts: ProseParts,
  { transcript, reading }: { transcript: readonly NamedItem[]; reading: Reading },
  promptTokens: number,
  signal: AbortSignal,
): Promise<Session> {
  const room = parts.budget.inputTokensMax - estimateTokens(prefix) - promptTokens - tokensAround
  const lines = await quoteInTurns(transcript)
  const itemTokens = lines.map(estimateItemTokens)
  const tokens = itemTokens.reduce((sum, one) => sum + one, 0)
  const lead = leadOf(transcript, reading)
  if (tokens <= room)
    return { transcript, reading, material: `${lead}\n${quoteTranscript(lines)}`, isWhole: true, windows: [] }
  const { windows, factsMax } = planWindows(parts.budget, itemTokens, room)
  const talk = { lines, lead }
  const extract = (window: Window, until: AbortSignal): Promise<Fact[]> =>
    extractOne(parts, talk, window, factsMax, until)
  const facts = mergeFacts(await askByWindows(windows, extract, signal))
  return {
    transcript,
    reading,
    material: `${ask.facts}\n${quoteFacts(facts)}`,
    isWhole: false,
    windows: windows.map((window) => ({ ...window, material: quoteWindow(talk, window) })),
  }
}

const nameSource = (how: Account['how'] | undefined): string =>
  how === undefined ? ask.transcript : how === 'dictated' ? ofDictation : ask.account

const leadOf = (transcript: readonly NamedItem[], { language }: Reading): string => {
  const leads: string[] = [nameSource(findAccount(transcript)?.how)]
  if (transcript.some(({ person }) => person !== undefined)) leads.push(ofPeople)
  if (language !== undefined) leads.push(ofLanguage(language))
  return leads.join(' ')
}

/** Hours of talk take longer to quote than a turn may: so many items, then others come to theirs. */
const itemsPerTurn = 500

async function quoteInTurns(transcript: readonly NamedItem[]): Promise<string[]> {
  const lines: string[] = []
  for (const [index, item] of transcript.entries()) {
    if (index % itemsPerTurn === 0) await nextTurn()
    lines.push(quoteItem(item, index))
  }
  return lines
}

/** The windows, and how many facts each may give so that all of them fit the next prompt. */
export function planWindows(
  budget: TokenBudget,
  itemTokens: readonly number[],
  room: number,
): { windows: Window[]; factsMax: number } {
  const windowTokens = budget.inputTokensMax - estimateTokens(prefix + extractFactsTask(999)) - tokensAround
  const windows = splitWindows(
    itemTokens,
    windowTokens,
    Math.min(overlapTokens, Math.floor(windowTokens / 5)),
  )
  const factsMax =
    windows === null ? 0 : Math.floor(Math.min(room / windows.length, budget.outputTokensMax) / tokensPerFact)
  if (windows === null || windows.length > windowsMax || factsMax < factsPerWindowMin) {
    throw new EngineFault(
      'refused',
      'the transcript is too long for the context of the writer model; see CASENOTE_WRITER_CONTEXT_TOKENS',
    )
  }
  return { windows, factsMax }
}

interface QuotedTalk {
  lines: readonly string[]
  lead: string
}

const quoteWindow = ({ lines, lead }: QuotedTalk, { start, end }: Window): string =>
  `${lead}\n${quoteTranscript(lines.slice(start, end))}`

function extractOne(
  { model, budget }: ProseParts,
  talk: QuotedTalk,
  { start, end }: Window,
  factsMax: number,
  signal: AbortSignal,
): Promise<Fact[]> {
  const task = toTask(
    'facts',
    { material: quoteWindow(talk, { start, end }), rules: extractFactsTask(factsMax) },
    { schema: Facts(talk.lines.length, factsMax), outputTokensMax: budget.outputTokensMax },
  )
  return askForJson(
    model,
    task,
    ({ facts }) =>
      facts.every(({ items }) => items.every((item) => item >= start && item < end))
        ? { value: facts }
        : { problem: 'it names items that are not in this part' },
    signal,
  )
}

/** What two windows share is told twice, often in the same words. */
export function mergeFacts(parts: readonly (readonly Fact[])[]): Fact[] {
  const merged = new Map<string, Fact>()
  for (const fact of parts.flat()) {
    const text = readText(fact.text)
    const key = `${fact.topic} ${text.toLowerCase()}`
    const items = [...new Set([...(merged.get(key)?.items ?? []), ...fact.items])].toSorted((a, b) => a - b)
    if (text !== '') merged.set(key, { topic: fact.topic, text, items })
  }
  return [...merged.values()].toSorted((a, b) => (a.items[0] ?? 0) - (b.items[0] ?? 0))
}

function quoteFacts(facts: readonly Fact[]): string {
  const lines = facts.map(
    ({ topic, text, items }) => `- ${topic}: ${quoteText(text)} {items: ${items.join(', ')}}`,
  )
  return ['<facts>', ...lines, '</facts>'].join('\n')
}
