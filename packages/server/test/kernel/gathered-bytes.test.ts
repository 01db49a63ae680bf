import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { GatheredBytes } from '../../src/kernel/gathered-bytes.js'
import { findDelayMs, loopDelayMaxMs } from '../support/watch-loop.js'

it('gives back what came, in its order, and begins anew', () => {
  const gathered = new GatheredBytes()
  expect(gathered.take()).toEqual(Buffer.alloc(0))
  for (const size of [1, 70_000, 0, 3, 200_000]) {
    const bytes = randomBytes(size)
    gathered.add(bytes)
    gathered.add(bytes.subarray(0, 1))
    expect(gathered.length).toBe(size + Math.min(1, size))
    expect(gathered.take()).toEqual(Buffer.concat([bytes, bytes.subarray(0, 1)]))
  }
})

it('joins four megabytes that came byte by byte without blocking the loop', async () => {
  const byte = Buffer.from('a')
  const gathered = new GatheredBytes()
  const fill = async (): Promise<void> => {
    for (let count = 0; count < 4_194_304; count += 1) gathered.add(byte)
  }
  await fill()
  const takeAll = async (): Promise<void> => expect(gathered.take().length).toBe(4_194_304)
  expect(await findDelayMs(loopDelayMaxMs, takeAll, fill)).toBeLessThan(loopDelayMaxMs)
})
