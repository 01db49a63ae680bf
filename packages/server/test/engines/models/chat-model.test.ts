import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChatModel } from '../../../src/engines/models/openai/chat-model.js'
import type { ChatTask } from '../../../src/engines/models/language-model.js'
import { OpenAiClient } from '../../../src/engines/openai-protocol/openai-client.js'
import { OpenAiTestServer } from '../openai-server.js'

const answer = '{"word":"yes"}'
const task: ChatTask = {
  name: 'word',
  system: 'Answer.',
  user: 'Yes or no?',
  schema: Type.Object({ word: Type.String({ maxLength: 10 }) }, { additionalProperties: false }),
  outputTokensMax: 100,
}
const signal = new AbortController().signal

let server: OpenAiTestServer
let url: string
beforeAll(async () => {
  server = new OpenAiTestServer({ apiKey: null, writeAsModel: () => answer, transcribe: () => ({}) })
  url = await server.start()
})
afterAll(() => server.close())

async function withModel<T>(
  extraBody: Record<string, unknown>,
  work: (model: ChatModel) => Promise<T>,
): Promise<T> {
  const client = new OpenAiClient(
    { name: 'writer server', url, apiKey: null },
    { timeoutMs: 20_000, concurrencyMax: 2 },
  )
  const model = new ChatModel(client, { model: 'm', contextTokens: 32_768, extraBody })
  try {
    return await work(model)
  } finally {
    await model.close()
  }
}

describe('a model behind /v1/chat/completions', () => {
  const said: Record<string, string> = {
    'a thought': `<think>Let me think about {"word"…}.</think>\n\n${answer}`,
    'a fence': `\`\`\`json\n${answer}\n\`\`\``,
    'a thought and a fence': `<think>\n</think>\n\`\`\`json\n${answer}\n\`\`\``,
  }
  for (const [name, text] of Object.entries(said)) {
    it(`reads past ${name}, whole and streamed`, () =>
      withModel({}, async (model) => {
        server.mischief.push({ kind: 'say', text }, { kind: 'say', text })
        expect(await model.complete(task, signal)).toEqual({ text: answer, isCutShort: false })
        const events = []
        for await (const event of model.stream(task, signal)) events.push(event)
        expect(events.map((event) => (event.kind === 'text' ? event.text : '')).join('')).toBe(answer)
        expect(events.at(-1)).toEqual({ kind: 'end', isCutShort: false })
      }))
  }

  it('says that an answer was cut short within its thought', () =>
    withModel({}, async (model) => {
      server.mischief.push({ kind: 'say', text: '<think>Well', finishReason: 'length' })
      expect(await model.complete(task, signal)).toEqual({ text: '', isCutShort: true })
    }))

  it('sends the extra fields with each request, and none that says what is asked of whom', () =>
    withModel(
      {
        chat_template_kwargs: { enable_thinking: false },
        temperature: 0.7,
        model: 'other',
        messages: [],
        stream: true,
      },
      async (model) => {
        server.chats.length = 0
        await model.complete(task, signal)
        for await (const _ of model.stream(task, signal));
        expect(server.problems).toEqual([])
        const [whole, streamed] = server.chats
        for (const chat of [whole, streamed]) {
          expect(chat).toMatchObject({ model: 'm', temperature: 0.7, max_tokens: 100 })
          expect(chat).toHaveProperty('chat_template_kwargs', { enable_thinking: false })
          expect(chat?.messages.map(({ content }) => content)).toEqual([task.system, task.user])
        }
        expect(whole).not.toHaveProperty('stream')
        expect(streamed).toHaveProperty('stream', true)
      },
    ))
})
