import { expect, it } from 'vitest'
import { RecentFinds } from '../../src/kernel/recent-finds.js'

const one = { tenantId: 'one' }
const two = { tenantId: 'two' }

it('remembers a find for 4 s, for its tenant only, and never that nothing was found', async () => {
  let nowMs = 0
  let reads = 0
  const finds = new RecentFinds<string>(() => nowMs)
  const read = (found: string | null) => async (): Promise<string | null> => {
    reads += 1
    return found
  }
  expect(await finds.find(one, 'id', read(null))).toBeNull()
  expect(await finds.find(one, 'id', read('a'))).toBe('a')
  expect(await finds.find(one, 'id', read('b'))).toBe('a')
  expect(await finds.find(two, 'id', read(null))).toBeNull()
  expect(reads).toBe(3)
  nowMs = 4_000
  expect(await finds.find(one, 'id', read('b'))).toBe('b')
})
