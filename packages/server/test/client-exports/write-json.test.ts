import { expect, it } from 'vitest'
import { writeJson } from '../../src/features/client-exports/write-json.js'
import { largestSections, largestTranscript } from '../loop/largest-record.js'
import { findDelayMs, loopDelayMaxMs } from '../support/watch-loop.js'

it('the longest talk and texts of a session leave the loop to the others, however fast they are read', async () => {
  const talk = largestTranscript()
  const note = largestSections()
  const fields = {
    transcript: { items: talk },
    note,
    before: note,
    draft: { items: talk },
    kept: note,
    left: talk,
    last: note,
  }
  let sizeBytes = 0
  const delayMs = await findDelayMs(loopDelayMaxMs, async () => {
    sizeBytes = 0
    for await (const piece of writeJson(fields)) sizeBytes += piece.length
  })
  expect(sizeBytes).toBeGreaterThan(5_000_000)
  expect(delayMs).toBeLessThan(loopDelayMaxMs)
})

it('is an object with every field, streams as lists', async () => {
  async function* stream() {
    yield { a: 1 }
    yield 'b'.repeat(70_000)
  }
  const fields = { none: null, absent: undefined, long: 'x'.repeat(70_000), list: stream(), last: 1 }
  let text = ''
  for await (const piece of writeJson(fields)) text += piece.toString()
  expect(JSON.parse(text)).toEqual({
    none: null,
    absent: null,
    long: 'x'.repeat(70_000),
    list: [{ a: 1 }, 'b'.repeat(70_000)],
    last: 1,
  })
})
