import { expect, it } from 'vitest'
import { boundActs } from '../../src/kernel/blobs/bounded-acts.js'

const take = (ms: number) => () => new Promise<number>((resolve) => setTimeout(() => resolve(ms), ms))

it('acts that wait long for their turn are not given up, and who is to be told sooner is next', async () => {
  const bounded = boundActs({ atOnceMost: 1, withinMs: 200 })
  const ended: string[] = []
  const queued = Array.from({ length: 12 }, async () => {
    await bounded(take(30))
    ended.push('usual')
  })
  const urgent = bounded(take(1), 100).then(() => ended.push('urgent'))
  await Promise.all([...queued, urgent])
  expect(ended.slice(0, 3)).toEqual(['usual', 'urgent', 'usual'])
  expect(ended).toHaveLength(13)
})

it('where all hang, those that wait are refused with those that come', async () => {
  const bounded = boundActs({ atOnceMost: 2, withinMs: 50 })
  let goOn = (): void => undefined
  const hanging = new Promise<void>((resolve) => (goOn = resolve))
  const acts = Array.from({ length: 5 }, () => bounded(() => hanging).catch((error: Error) => error.message))
  expect(new Set(await Promise.all(acts))).toEqual(new Set(['the blob folder does not answer']))
  await expect(bounded(take(1))).rejects.toThrow('does not answer')
  goOn()
  await expect.poll(() => bounded(take(1)).catch(() => null)).toBe(1)
})

it('once the process stops, those that hang and those that wait are told at once, and nothing is begun', async () => {
  const stopping = new AbortController()
  const bounded = boundActs({ atOnceMost: 2, withinMs: 60_000 }, stopping.signal)
  let begun = 0
  const hang = (): Promise<never> => {
    begun += 1
    return new Promise(() => {})
  }
  const acts = Array.from({ length: 5 }, () => bounded(hang).catch((error: Error) => error.message))
  stopping.abort(new Error('it stops'))
  expect(new Set(await Promise.all(acts))).toEqual(new Set(['it stops']))
  await expect(bounded(hang)).rejects.toThrow('it stops')
  expect(begun).toBe(2)
})
