import type { TranscriptItem } from '@casenote/contract'
import type { TSchema } from 'typebox'
import type { Background } from '../../background.js'
import type { NoteChecker } from '../../checker/note-checker.js'
import { EngineFault } from '../../engine-fault.js'
import type { ChatTask, LanguageModel } from '../../models/language-model.js'
import type { Finding, Reading } from '../../reader/reading.js'
import { ask, prefix } from './prompts.js'
import { quoteItem } from './quote-data.js'
import { estimateItemTokens, estimateTokens, type TokenBudget, type Window } from './token-budget.js'

/** What a model that writes works with. */
export interface ProseParts {
  model: LanguageModel
  budget: TokenBudget
  checker: NoteChecker
}

/** No model's word stands in for what nobody checked, read or settled: that is done later. */
export function requireAnswer<Answer>(answer: Answer | null): Answer {
  if (answer === null) throw new EngineFault('unavailable', 'the checks of the text gave no answer')
  return answer
}

/** A session as the tasks of one job see it. */
export interface Session {
  transcript: readonly TranscriptItem[]
  reading: Reading
  /** What is judged is compared with it: nothing may rest on it. */
  background?: Background
  /** The transcript, or the facts that were taken from its parts. The same words for every task. */
  material: string
  /** False: what a task judges is judged by the parts of the transcript that it cites. */
  isWhole: boolean
  /** The parts of a transcript that does not fit, as they were read for the facts. */
  windows: readonly SessionWindow[]
}

export interface SessionWindow extends Window {
  material: string
}

/** With what a model found besides: what is checked from here on is compared with it, too. */
export const withFindings = (session: Session, findings: readonly Finding[]): Session => ({
  ...session,
  reading: { ...session.reading, findings: [...findings] },
})

/** The prefix, the data of the task, then its rules. */
export function toTask<Schema extends TSchema>(
  name: string,
  { material, data = '', rules }: { material: string; data?: string; rules: string },
  { schema, outputTokensMax }: { schema: Schema; outputTokensMax: number },
): ChatTask & { schema: Schema } {
  const user = [material, data, rules].filter((part) => part !== '').join('\n\n')
  return { name, system: prefix, user, schema, outputTokensMax }
}

/** Items around what a sentence cites: the question before, what was said of it next. */
const around = 5

/** Room for parts of a transcript in one question. */
export interface PartsRoom {
  /** False: no room for all of these, those around them and so many tokens of the question; none of them is taken then. */
  take(items: readonly number[], tokens?: number): boolean
  /** What was taken. */
  readonly taken: ReadonlySet<number>
}

export function openParts(
  { transcript }: Session,
  { inputTokensMax }: TokenBudget,
  promptTokens: number,
): PartsRoom {
  const taken = new Set<number>()
  let used = promptTokens + estimateTokens(prefix)
  return {
    taken,
    take(items, tokens = 0) {
      const fresh = new Map<number, number>()
      for (const item of items)
        for (let index = Math.max(0, item - around); index <= item + around; index += 1) {
          const line = transcript[index]
          if (line === undefined || taken.has(index) || fresh.has(index)) continue
          fresh.set(index, estimateItemTokens(quoteItem(line, index)))
        }
      const wanted = [...fresh.values()].reduce((sum, one) => sum + one, tokens)
      if (used + wanted > inputTokensMax) return false
      used += wanted
      for (const index of fresh.keys()) taken.add(index)
      return true
    },
  }
}

/**
 * For a transcript that does not fit: the items that are cited and those around them, as many of them as fit, in order.
 * What is left out is left out at the end, so that what comes first is judged well.
 */
export function quoteParts(
  session: Session,
  items: readonly number[],
  budget: TokenBudget,
  promptTokens: number,
): string {
  const room = openParts(session, budget, promptTokens)
  for (const item of items) if (!room.take([item])) break
  return quoteSome(session.transcript, room.taken)
}

const quoteSome = (transcript: readonly TranscriptItem[], wanted: ReadonlySet<number>): string => {
  const lines = transcript.flatMap((item, index) => (wanted.has(index) ? [quoteItem(item, index)] : []))
  return [ask.part, '<transcript>', ...lines, '</transcript>'].join('\n')
}
