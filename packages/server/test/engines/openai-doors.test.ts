import { makeOpenAiSpeechEngine } from '../../src/engines/speech/openai-engine.js'
import { makeOpenAiWriter } from '../../src/engines/writer/openai/openai-writer.js'
import { describeSpeechEngine, makeClip } from './describe-speech-engine.js'
import { describeWriterEngine } from './describe-writer-engine.js'
import { OpenAiTestServer } from './openai-server.js'
import { encodeWords, transcribeWords, writeAsModel } from './scripted-models.js'

const startServer = async (apiKey: string | null) => {
  const server = new OpenAiTestServer({ apiKey, writeAsModel, transcribe: transcribeWords })
  return { server, url: await server.start() }
}

describeSpeechEngine('openai', async () => {
  const { server, url } = await startServer('sk-speech')
  const spoken = ['I slept better this week.', 'How is your appetite?', 'I take fifty milligrams.'].map(
    (text) => ({
      clip: makeClip(encodeWords(text)),
      words: text.toLowerCase().replace(/[.?]/, '').split(' '),
    }),
  )
  return {
    engine: makeOpenAiSpeechEngine({ url, model: 'whisper-1', apiKey: 'sk-speech' }),
    spoken,
    close: () => server.close(),
  }
})

describeWriterEngine('openai', async () => {
  const { server, url } = await startServer(null)
  const engine = makeOpenAiWriter({ url: `${url}/v1/`, model: 'local', apiKey: null, contextTokens: 32_768 })
  return {
    engine,
    close: async () => {
      await engine.close()
      await server.close()
    },
  }
})
