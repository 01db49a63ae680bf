import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { SESSION_FAILURES } from '../../src/features/sessions/session-lifecycle.js'
import { answerTestRecording } from '../../src/kernel/guarded-fetch/test-recordings/answer-test-recording.js'
import {
  findTestRecording,
  listTestRecordings,
  listTestUrls,
} from '../../src/kernel/guarded-fetch/test-recordings/find-test-recording.js'
import { makeTestFile } from '../../src/kernel/guarded-fetch/test-recordings/make-test-file.js'
import { readSample } from '../engines/speech/speech-fixture.js'
import { failed, fetchFrom } from './download-fixture.js'

const never = new AbortController().signal
const outcomes = listTestRecordings()

describe('a test recording', () => {
  it('has a name of its own, an address, and an outcome that sessions know', () => {
    expect(new Set(listTestUrls()).size).toBe(outcomes.length)
    for (const { name, outcome } of outcomes) {
      expect(findTestRecording(`casenote://test/${name}`)?.name).toBe(name)
      expect(outcome.code === null || outcome.code in SESSION_FAILURES).toBe(true)
      expect(outcome.code === null).toBe(outcome.status === 'completed')
    }
  })

  it('stands in the guide as the list has it', () => {
    const guide = readFileSync(new URL('../../../../docs/sandbox.md', import.meta.url), 'utf8')
    for (const { name, happens, outcome } of outcomes) {
      const row = new RegExp(`casenote://test/${name}\` *\\| ${happens} *\\|.*${outcome.code ?? 'completed'}`)
      expect(guide).toMatch(row)
    }
  })

  it.each(outcomes.filter(({ outcome }) => outcome.code?.startsWith('fetch_') === true))(
    '$name fails as a file server’s would',
    async ({ name, outcome }) => {
      const code = outcome.code?.slice('fetch_'.length) as Parameters<typeof failed>[0]
      expect(await fetchFrom(`casenote://test/${name}`)).toMatchObject({ outcome: failed(code), waits: [] })
    },
  )

  it('arrives whole, the same each time, and is as long as it says', async () => {
    const [one, other] = await Promise.all([
      fetchFrom('casenote://test/success'),
      fetchFrom('casenote://test/success'),
    ])
    expect(one.outcome).toEqual({ status: 'complete', sizeBytes: one.bytes.length, contentType: 'audio/ogg' })
    expect(one.bytes.length).toBeGreaterThan(100_000)
    expect(one.bytes.equals(other.bytes)).toBe(true)
  })

  it('of the whole visit holds the pages of the sample as they are', async () => {
    const { pieces } = await makeTestFile('visit')
    const made = Buffer.concat(pieces.slice(0, -1))
    const sample = readSampleVisit().subarray(0, made.length)
    expect(made.equals(sample)).toBe(true)
  })

  it('is bounded: the longest is four visits', async () => {
    const { pieces } = await makeTestFile('four-visits')
    expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(3_000_000)
  })

  it('that is slow takes its time, and ends at once when nobody waits for it any more', async () => {
    const slow = findTestRecording('casenote://test/slow')
    if (slow === null) throw new Error('there is no slow one')
    expect(slow.sendingSeconds).toBeLessThanOrEqual(20)
    const startedAt = performance.now()
    const hurried = await answerTestRecording({ ...slow, sendingSeconds: 0.5 }, never)
    expect((await buffer(hurried.body)).length).toBe(Number(hurried.headers['content-length']))
    expect(performance.now() - startedAt).toBeGreaterThan(400)
    const abort = new AbortController()
    const { body } = await answerTestRecording(slow, abort.signal)
    const read = buffer(body)
    abort.abort()
    await expect(read).rejects.toThrow()
  })

  it('is refused as any address outside the web where the sandbox is not at home', async () => {
    const { outcome } = await fetchFrom('casenote://test/success', { environment: 'production' })
    expect(outcome).toEqual(failed('target_refused'))
  })

  it('that there is not is refused, too', async () => {
    for (const url of [
      'casenote://test/nothing',
      'casenote://other/success',
      'casenote://test/success?x=1',
    ]) {
      expect((await fetchFrom(url)).outcome).toEqual(failed('target_refused'))
    }
  })
})

const readSampleVisit = (): Buffer => readSample('../../../../samples/medication-management.ogg')
