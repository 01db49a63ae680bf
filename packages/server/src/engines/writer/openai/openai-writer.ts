import { OpenAiClient, type CallLimits } from '../../openai/openai-client.js'
import type { WriterEngine } from '../writer-engine.js'
import { ChatModel } from './chat.js'
import { deriveMdm } from './derive-mdm.js'
import { editNote } from './edit-note.js'
import { templatesVersion } from '../templates-version.js'
import { promptVersion } from './prompts.js'
import { summarize } from './summarize.js'
import { planBudget } from './token-budget.js'
import { writeNote } from './write-note.js'

export interface OpenAiWriterSettings {
  url: string
  model: string
  apiKey: string | null
  contextTokens: number
}

const usualLimits = {
  // A local model that reads 20,000 tokens at 200 a second and writes 5,000 at 30 needs 4.5 minutes.
  timeoutMs: 600_000,
  // The windows of a long transcript beside each other; servers batch them.
  concurrencyMax: 4,
} as const

/** Any server with `/v1/chat/completions` and JSON schema output. */
export function makeOpenAiWriter(
  settings: OpenAiWriterSettings,
  limits: Partial<CallLimits> = {},
): WriterEngine & { close(): Promise<void> } {
  const server = { name: 'writer server', url: settings.url, apiKey: settings.apiKey }
  const client = new OpenAiClient(server, { ...usualLimits, ...limits })
  const chat = new ChatModel(client, settings.model)
  const budget = planBudget(settings.contextTokens)
  return {
    name: 'openai',
    versions: {
      engine: 'openai',
      model: settings.model,
      prompt: promptVersion,
      templates: templatesVersion,
    },
    writeNote: (request, signal) => writeNote(chat, budget, request, signal),
    editNote: async (request, signal) => editNote(chat, budget, request, signal),
    deriveMdm: async (request, signal) => deriveMdm(chat, budget, request, signal),
    summarize: async (request, signal) => summarize(chat, budget, request, signal),
    close: () => client.close(),
  }
}
