import type { Reader } from '../../engines/reader/reading.js'
import type { SpeechEngine } from '../../engines/speech/speech-engine.js'
import type { WriterEngine } from '../../engines/writer/writer-engine.js'
import { startWithin, tracedWithin } from '../../kernel/tracing/trace.js'

/** Its calls stand in the trace of the job that makes them: how many pieces they were given, and nothing of those. */
export const traceSpeech = (engine: SpeechEngine): SpeechEngine => ({
  name: engine.name,
  model: engine.model,
  recognize: (clips, signal, onHeard, owner) =>
    tracedWithin(
      'engine.recognize',
      { engine: engine.name, pieces: clips.length },
      () => engine.recognize(clips, signal, onHeard, owner),
      'client',
    ),
  ...(engine.forLanguage === undefined
    ? {}
    : {
        forLanguage: (language) => {
          const other = engine.forLanguage?.(language) ?? null
          return other === null ? null : traceSpeech(other)
        },
      }),
  close: () => engine.close(),
})

export const traceReader = (reader: Reader): Reader => ({
  version: reader.version,
  read: (transcript, signal, owner) =>
    tracedWithin('engine.read', { engine: 'reader', pieces: transcript.length }, () =>
      reader.read(transcript, signal, owner),
    ),
  close: () => reader.close(),
})

export function traceWriter(writer: WriterEngine): WriterEngine {
  const call = <T>(name: string, pieces: number, work: () => Promise<T>): Promise<T> =>
    tracedWithin(name, { engine: writer.name, pieces }, work, 'client')
  return {
    name: writer.name,
    versions: writer.versions,
    async *writeNote(request, signal) {
      const facts = { engine: writer.name, pieces: request.transcript.length }
      const span = startWithin('engine.write_note', facts, 'client')
      try {
        yield* writer.writeNote(request, signal)
      } catch (error) {
        span.end(error)
        throw error
      } finally {
        span.end()
      }
    },
    editNote: (request, signal) =>
      call('engine.edit_note', request.transcript.length, () => writer.editNote(request, signal)),
    deriveMdm: (request, signal) =>
      call('engine.derive_mdm', request.transcript.length, () => writer.deriveMdm(request, signal)),
    summarize: (request, signal) =>
      call('engine.summarize', request.transcript.length, () => writer.summarize(request, signal)),
    ...(writer.linkGoals === undefined
      ? {}
      : {
          linkGoals: (request, signal) =>
            call(
              'engine.link_goals',
              request.goals.length,
              async () => writer.linkGoals?.(request, signal) ?? null,
            ),
        }),
    close: () => writer.close(),
  }
}
