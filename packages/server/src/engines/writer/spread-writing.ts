import type { WriterEngine } from './writer-engine.js'

/**
 * Several writers of one kind as one. Each does one thing at a time, so that what hangs or breaks one of them ends alone and
 * delays nobody; whoever finds none free waits for the next. They are opened when they are needed.
 */
export function spreadWriting(open: () => WriterEngine, count: number): WriterEngine {
  const first = open()
  const writers = [first]
  const free = [first]
  const waiting: ((writer: WriterEngine) => void)[] = []

  const take = async (signal: AbortSignal): Promise<WriterEngine> => {
    signal.throwIfAborted()
    const idle = free.pop() ?? (writers.length < count ? open() : null)
    if (idle === null) return waitForOne(signal)
    if (!writers.includes(idle)) writers.push(idle)
    return idle
  }
  const waitForOne = (signal: AbortSignal): Promise<WriterEngine> =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => {
        waiting.splice(waiting.indexOf(settle), 1)
        reject(signal.reason as Error)
      }
      const settle = (writer: WriterEngine): void => {
        signal.removeEventListener('abort', onAbort)
        resolve(writer)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      waiting.push(settle)
    })
  const giveBack = (writer: WriterEngine): void => {
    const next = waiting.shift()
    if (next === undefined) free.push(writer)
    else next(writer)
  }
  const withOne = async <Made>(
    signal: AbortSignal,
    work: (writer: WriterEngine) => Promise<Made>,
  ): Promise<Made> => {
    const writer = await take(signal)
    try {
      return await work(writer)
    } finally {
      giveBack(writer)
    }
  }

  return {
    name: first.name,
    versions: first.versions,
    async *writeNote(request, signal) {
      const writer = await take(signal)
      try {
        yield* writer.writeNote(request, signal)
      } finally {
        giveBack(writer)
      }
    },
    editNote: (request, signal) => withOne(signal, (writer) => writer.editNote(request, signal)),
    deriveMdm: (request, signal) => withOne(signal, (writer) => writer.deriveMdm(request, signal)),
    summarize: (request, signal) => withOne(signal, (writer) => writer.summarize(request, signal)),
    close: async () => {
      await Promise.all(writers.map((writer) => writer.close()))
    },
  }
}
