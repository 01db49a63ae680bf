import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { EngineFault } from '../../engine-fault.js'
import type { ChatTask, LanguageModel } from '../../models/language-model.js'
import { parseAnswer } from './scan-members.js'

/** A problem is in our words: it goes back to the model, and into no log. */
export type Verdict<Value> = { value: Value } | { problem: string }

/** An answer of the schema that `judge` finds good; asked for a second time with what was wrong, then a fault. */
export async function askForJson<Schema extends TSchema, Value>(
  model: LanguageModel,
  task: ChatTask & { schema: Schema },
  judge: (answer: Static<Schema>) => Verdict<Value> | Promise<Verdict<Value>>,
  signal: AbortSignal,
): Promise<Value> {
  let problem: string | null = null
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const user: string = problem === null ? task.user : `${task.user}\n\n${wordRepair(problem)}`
    const { text, isCutShort } = await model.complete({ ...task, user }, signal)
    const verdict = isCutShort ? { problem: tooLong } : await judgeText(task.schema, text, judge)
    if ('value' in verdict) return verdict.value
    problem = verdict.problem
  }
  throw new EngineFault('malformed', `the model's answer to ${task.name} cannot be used: ${problem}`)
}

export const tooLong = 'it was longer than allowed and was cut off; write less'

export const wordRepair = (problem: string): string =>
  `Your last answer could not be used: ${problem}. Answer again with nothing but JSON of the schema.`

function judgeText<Schema extends TSchema, Value>(
  schema: Schema,
  text: string,
  judge: (answer: Static<Schema>) => Verdict<Value> | Promise<Verdict<Value>>,
): Verdict<Value> | Promise<Verdict<Value>> {
  const answer = parseAnswer(text)
  if (answer === null) return { problem: 'it was no JSON object' }
  if (!Check(schema, answer))
    return { problem: 'it does not fit the schema, or names items that do not exist' }
  return judge(answer)
}
