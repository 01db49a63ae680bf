import { describe, expect, it } from 'vitest'
import { EngineFault } from '../../../src/engines/engine-fault.js'
import { spreadWriting } from '../../../src/engines/writer/spread-writing.js'
import type { WriterEngine, WritingRequest } from '../../../src/engines/writer/writer-engine.js'
import { readByRules, therapySession } from '../session-fixtures.js'

const never = new AbortController().signal
const request: WritingRequest = {
  noteType: 'soap',
  transcript: therapySession,
  reading: readByRules(therapySession),
  treatmentApproaches: [],
}

/** Writers whose summaries end when they are told to. */
function makeSlowWriters() {
  const begun: { writer: number; end: (text: string) => void; fail: (error: Error) => void }[] = []
  const closed: number[] = []
  let count = 0
  const open = (): WriterEngine => {
    const writer = count++
    return {
      name: 'extract',
      versions: { engine: 'extract', model: 'm', prompt: 'p', templates: 't' },
      async *writeNote() {
        yield { kind: 'end', note: { sections: [], findings: [] } }
      },
      editNote: async () => ({ isDone: false, reason: `${writer}` }),
      deriveMdm: () => Promise.reject(new Error('not asked')),
      summarize: () =>
        new Promise((resolve, reject) => {
          begun.push({ writer, end: resolve, fail: reject })
        }),
      close: async () => void closed.push(writer),
    }
  }
  return { open, begun, closed }
}

describe('several places for writing', () => {
  it('each has a writer of its own, opened when it is needed, and the next waits for the first that is free', async () => {
    const { open, begun, closed } = makeSlowWriters()
    const writer = spreadWriting(open, 2)
    const made = [1, 2, 3].map(() => writer.summarize(request, never))
    await Promise.resolve()
    expect(begun.map((one) => one.writer)).toEqual([0, 1])
    begun[1]?.end('second')
    expect(await made[1]).toBe('second')
    await Promise.resolve()
    expect(begun.map((one) => one.writer)).toEqual([0, 1, 1])
    begun[0]?.end('first')
    begun[2]?.end('third')
    expect(await Promise.all(made)).toEqual(['first', 'second', 'third'])
    await writer.close()
    expect(closed).toEqual([0, 1])
  })

  it('what breaks off at one costs no other anything, and its place is free again', async () => {
    const { open, begun } = makeSlowWriters()
    const writer = spreadWriting(open, 2)
    const broken = writer.summarize(request, never)
    const other = writer.summarize(request, never)
    const next = writer.summarize(request, never)
    await Promise.resolve()
    begun[0]?.fail(new EngineFault('timeout', 'it took too long'))
    await expect(broken).rejects.toThrow('it took too long')
    begun[1]?.end('other')
    expect(await other).toBe('other')
    begun[2]?.end('next')
    expect(await next).toBe('next')
  })

  it('who is broken off while waiting takes no place', async () => {
    const { open, begun } = makeSlowWriters()
    const writer = spreadWriting(open, 1)
    const first = writer.summarize(request, never)
    const gone = new AbortController()
    const waiting = writer.summarize(request, gone.signal)
    const last = writer.editNote({ ...request, note: [], instructions: '' }, never)
    gone.abort(new Error('the worker stops'))
    await expect(waiting).rejects.toThrow('the worker stops')
    begun[0]?.end('done')
    expect(await first).toBe('done')
    expect(await last).toEqual({ isDone: false, reason: '0' })
    expect(begun).toHaveLength(1)
  })

  it('gives the place back behind a note', async () => {
    const writer = spreadWriting(makeSlowWriters().open, 1)
    for (let round = 0; round < 2; round++) {
      const events = []
      for await (const event of writer.writeNote(request, never)) events.push(event.kind)
      expect(events).toEqual(['end'])
    }
  })
})
