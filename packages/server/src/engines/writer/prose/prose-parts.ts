import type { TranscriptItem } from '@casenote/contract'
import type { TSchema } from 'typebox'
import type { NoteChecker } from '../../checker/note-checker.js'
import type { ChatTask, LanguageModel } from '../../models/language-model.js'
import type { Reading } from '../../reader/reading.js'
import { ask, prefix } from './prompts.js'
import { quoteItem } from './quote-data.js'
import { estimateItemTokens, estimateTokens, type TokenBudget } from './token-budget.js'

/** What a model that writes works with. */
export interface ProseParts {
  model: LanguageModel
  budget: TokenBudget
  checker: NoteChecker
}

/** A session as the tasks of one job see it. */
export interface Session {
  transcript: readonly TranscriptItem[]
  reading: Reading
  /** The transcript, or the facts that were taken from its parts. The same words for every task. */
  material: string
  /** False: what a task judges is judged by the parts of the transcript that it cites. */
  isWhole: boolean
}

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

/**
 * For a transcript that does not fit: the items that are cited and those around them, as many of them as fit, in order.
 * What is left out is left out at the end, so that what comes first is judged well.
 */
export function quoteParts(
  { transcript }: Session,
  items: readonly number[],
  { inputTokensMax }: TokenBudget,
  promptTokens: number,
): string {
  const wanted = new Set<number>()
  let tokens = promptTokens + estimateTokens(prefix)
  for (const item of items) {
    for (let index = Math.max(0, item - around); index <= item + around; index += 1) {
      const line = transcript[index]
      if (line === undefined || wanted.has(index)) continue
      tokens += estimateItemTokens(quoteItem(line, index))
      if (tokens > inputTokensMax) return quoteSome(transcript, wanted)
      wanted.add(index)
    }
  }
  return quoteSome(transcript, wanted)
}

const quoteSome = (transcript: readonly TranscriptItem[], wanted: ReadonlySet<number>): string => {
  const lines = transcript.flatMap((item, index) => (wanted.has(index) ? [quoteItem(item, index)] : []))
  return [ask.part, '<transcript>', ...lines, '</transcript>'].join('\n')
}
