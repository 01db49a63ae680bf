import { describe, expect, it } from 'vitest'
import { EngineFault } from '../../src/engines/engine-fault.js'
import type { Reader, Reading } from '../../src/engines/reader/reading.js'
import { makeHeardReader, makeIsRead } from '../../src/features/widget/recordings/heard-reader.js'
import type { SessionId } from '../../src/kernel/ids.js'
import { makeLog } from '../../src/kernel/log.js'
import { waitUntil } from '../support/casenote-process.js'

const reading = { figures: '', findings: [], questionOf: {}, version: 'test' } satisfies Reading
const session = 'a session' as SessionId
const line = (startTime: number) => ({
  startTime,
  endTime: startTime + 1,
  speaker: 'speaker_1',
  transcript: `Line at ${startTime}.`,
})

/** Answers when it is told to. */
function makeSlowReader() {
  const asked: { lines: number; end: (fault?: Error) => void }[] = []
  const reader: Reader = {
    version: 'test',
    read: (transcript) =>
      new Promise((resolve, reject) => {
        const end = (fault?: Error): void => (fault === undefined ? resolve(reading) : reject(fault))
        asked.push({ lines: transcript.length, end })
      }),
    close: () => Promise.resolve(),
  }
  return { asked, reader }
}

describe('a reader that is slow', () => {
  it('keeps nobody waiting longer than so long, goes on, and is asked once at a time', async () => {
    const { asked, reader } = makeSlowReader()
    const heard = makeHeardReader({ reader, log: makeLog('silent', 'test'), waitMs: 20 })
    const first = [line(0), line(1)]
    expect(await heard.read(session, first, 'tenant')).toBeNull()
    const more = [...first, line(2)]
    expect(await heard.read(session, more, 'tenant')).toBeNull()
    expect(asked.map(({ lines }) => lines)).toEqual([2])
    asked[0]?.end()
    const known = await heard.read(session, more, 'tenant')
    expect(more.map(makeIsRead(known))).toEqual([true, true, false])
    expect(asked.map(({ lines }) => lines)).toEqual([2, 3])
    asked[1]?.end()
    expect((await heard.read(session, more, 'tenant'))?.lines).toEqual(more)
    // Nothing new was heard.
    expect((await heard.read(session, first, 'tenant'))?.lines).toEqual(more)
    expect(asked).toHaveLength(2)
  })

  it('that fails leaves what was read before, and is asked again', async () => {
    const { asked, reader } = makeSlowReader()
    const heard = makeHeardReader({ reader, log: makeLog('silent', 'test'), waitMs: 10_000 })
    const failed = heard.read(session, [line(0)], 'tenant')
    await waitUntil(async () => asked.length === 1, 'the reader is asked')
    asked[0]?.end(new EngineFault('unavailable', 'The reader broke off'))
    expect(await failed).toBeNull()
    const again = heard.read(session, [line(0)], 'tenant')
    await waitUntil(async () => asked.length === 2, 'the reader is asked again')
    asked[1]?.end()
    expect((await again)?.lines).toEqual([line(0)])
  })
})
