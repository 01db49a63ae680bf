import type { NoteSection } from '@casenote/contract'
import type { Goal, GoalLinks } from '../../background.js'
import { EngineFault } from '../../engine-fault.js'
import { listLinkable } from '../link-goals.js'
import { GoalAnswer } from './answer-schemas.js'
import { askForJson } from './ask-for-json.js'
import { linkGoalsTask } from './prompts.js'
import { toTask, type ProseParts } from './prose-parts.js'
import { quoteText } from './quote-data.js'
import { estimateTokens } from './token-budget.js'

/** More sentences than the longest notes that were measured have; what is longer is linked by its words. */
const sentencesMax = 300

/**
 * A model says which sentences speak to which goal. It can name only sentences that stand and goals that are there, and changes nothing
 * of the note. Null: there is no answer that can be used.
 */
export async function linkGoals(
  { model, budget }: ProseParts,
  { sections, goals }: { sections: readonly NoteSection[]; goals: readonly Goal[] },
  signal: AbortSignal,
): Promise<GoalLinks[] | null> {
  const sentences = listLinkable(sections)
  if (sentences.length === 0) return goals.map(({ goalId }) => ({ goalId, sentences: [] }))
  if (sentences.length > sentencesMax) return null
  const data = [
    '<goals>',
    ...goals.map(({ texts }, index) => `${index + 1}. ${quoteText(texts.join('; '))}`),
    '</goals>',
    '<sentences>',
    ...sentences.map(({ sentence }, index) => `${index + 1}. ${quoteText(sentence)}`),
    '</sentences>',
  ].join('\n')
  const schema = GoalAnswer(goals.length, sentences.length)
  if (estimateTokens(data + linkGoalsTask + JSON.stringify(schema)) > budget.inputTokensMax) return null
  const { outputTokensMax } = budget
  const task = toTask('goal_links', { material: '', data, rules: linkGoalsTask }, { schema, outputTokensMax })
  try {
    const { links } = await askForJson(model, task, (answer) => ({ value: answer }), signal)
    return goals.map(({ goalId }, index) => ({
      goalId,
      sentences: sentences.filter((_, place) =>
        links.some(({ goal, n }) => goal === index + 1 && n === place + 1),
      ),
    }))
  } catch (error) {
    signal.throwIfAborted()
    // The note is written: it is not written once more because nobody could say what its sentences speak to.
    if (error instanceof EngineFault) return null
    throw error
  }
}
