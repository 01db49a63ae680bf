import { makeOpenAiSpeechEngine } from '../../src/engines/speech/openai-engine.js'
import { makeExtractWriter } from '../../src/engines/writer/extract/extract-writer.js'
import { describeSpeechEngine, makeClip } from './describe-speech-engine.js'
import { describeWriterEngine } from './describe-writer-engine.js'
import { OpenAiTestServer } from './openai-server.js'
import { encodeWords, transcribeWords, writeAsModel } from './scripted-models.js'
import { makeQuotingWriter } from './writer/quoting-writer.js'
import { ProseStage } from './writer/prose-fixture.js'

describeSpeechEngine('openai', async () => {
  const server = new OpenAiTestServer({ apiKey: 'sk-speech', writeAsModel, transcribe: transcribeWords })
  const url = await server.start()
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
  const stage = await ProseStage.open()
  return { engine: stage.openWriter(), close: () => stage.close() }
})

describeWriterEngine('extract', async () => {
  const engine = makeExtractWriter()
  return { engine, close: () => engine.close() }
})

describeWriterEngine('the stand-in of the pipeline tests', async () => ({ engine: makeQuotingWriter() }))
