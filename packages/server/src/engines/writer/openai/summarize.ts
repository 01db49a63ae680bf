import type { WritingRequest } from '../writer-engine.js'
import { Summary } from './answer-schemas.js'
import { askForJson } from './ask-for-json.js'
import type { ChatModel } from './chat.js'
import { gatherMaterial } from './gather-material.js'
import { ask, summarizeSystem } from './prompts.js'
import { readSentence } from './read-draft.js'
import { estimateTokens, type TokenBudget } from './token-budget.js'

export async function summarize(
  chat: ChatModel,
  budget: TokenBudget,
  request: WritingRequest,
  signal: AbortSignal,
): Promise<string> {
  if (request.transcript.length === 0) return 'The recording has no intelligible speech.'
  const system = summarizeSystem(request.noteType)
  const schema = Summary(request.transcript.length)
  const promptTokens = estimateTokens(system + JSON.stringify(schema))
  const material = await gatherMaterial(chat, budget, request.transcript, promptTokens, signal)
  const task = {
    name: 'summary',
    system,
    user: `${material}\n\n${ask.summary}`,
    schema,
    outputTokensMax: Math.min(budget.outputTokensMax, 2_048),
  }
  return askForJson(
    chat,
    task,
    ({ sentences }) => {
      // A summary shows no evidence, so what has none is not in it.
      const told = sentences.flatMap(readSentence).filter(({ transcriptItems }) => transcriptItems.length > 0)
      if (told.length === 0) return { problem: 'no sentence rests on an item' }
      return { value: told.map(({ text }) => text).join(' ') }
    },
    signal,
  )
}
