import { expect, it } from 'vitest'
import { boundActs, FolderFault, type ActLimits } from '../../src/kernel/bounded-acts.js'
import { FileThreads } from '../../src/kernel/file-threads.js'

const noAnswer = (): Error => new FolderFault('the folder does not answer')

const bound = (limits: ActLimits, { threads = new FileThreads(3), stopping }: Surroundings = {}) =>
  boundActs(limits, { noAnswer, threads, ...(stopping && { stopping }) })

interface Surroundings {
  threads?: FileThreads
  stopping?: AbortSignal
}

const hang = (): Promise<never> => new Promise(() => {})

const take = (ms: number) => () => new Promise<number>((resolve) => setTimeout(() => resolve(ms), ms))

it('acts that wait long for their turn are not given up, and who is to be told sooner is next', async () => {
  const bounded = bound({ atOnceMost: 1, withinMs: 200 })
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
  const bounded = bound({ atOnceMost: 2, withinMs: 50 })
  let goOn = (): void => undefined
  const hanging = new Promise<void>((resolve) => (goOn = resolve))
  const acts = Array.from({ length: 5 }, () => bounded(() => hanging).catch((error: Error) => error.message))
  expect(new Set(await Promise.all(acts))).toEqual(new Set(['the folder does not answer']))
  await expect(bounded(take(1))).rejects.toThrow('does not answer')
  goOn()
  await expect.poll(() => bounded(take(1)).catch(() => null)).toBe(1)
})

it('once the process stops, those that hang and those that wait are told at once, and nothing is begun', async () => {
  const stopping = new AbortController()
  const bounded = bound({ atOnceMost: 2, withinMs: 60_000 }, { stopping: stopping.signal })
  let begun = 0
  const begin = (): Promise<never> => {
    begun += 1
    return hang()
  }
  const acts = Array.from({ length: 5 }, () => bounded(begin).catch((error: Error) => error.message))
  stopping.abort(new Error('it stops'))
  expect(new Set(await Promise.all(acts))).toEqual(new Set(['it stops']))
  await expect(bounded(begin)).rejects.toThrow('it stops')
  expect(begun).toBe(2)
})

it('folders of a process share its threads: all that hang together leave one, and are refused then', async () => {
  const threads = new FileThreads(3)
  const [first, second, other] = [2, 2, 1].map((atOnceMost) =>
    bound({ atOnceMost, withinMs: 50 }, { threads }),
  )
  let begun = 0
  const begin = (): Promise<never> => {
    begun += 1
    return hang()
  }
  const ends = [first, first, second, second].map((bounded) => expect(bounded?.(begin)).rejects.toThrow())
  await Promise.all(ends)
  expect(begun).toBe(3)
  await expect(other?.(take(1))).rejects.toThrow('does not answer')
})

it('one folder that hangs takes no thread from another beyond its own', async () => {
  const threads = new FileThreads(3)
  const hanging = bound({ atOnceMost: 1, withinMs: 50 }, { threads })
  const well = bound({ atOnceMost: 3, withinMs: 1_000 }, { threads })
  const acts = Array.from({ length: 4 }, () => expect(hanging(hang)).rejects.toThrow('does not answer'))
  expect(await Promise.all([1, 2, 3, 4].map((ms) => well(take(ms))))).toEqual([1, 2, 3, 4])
  await Promise.all(acts)
  await expect(hanging(take(1))).rejects.toThrow('does not answer')
  expect(await well(take(1))).toBe(1)
})

it('what is done hears that it was given up, before it makes something known that is old', async () => {
  const bounded = bound({ atOnceMost: 1, withinMs: 30 })
  let heard: unknown = null
  const act = async (givenUp: AbortSignal): Promise<void> => {
    await take(60)()
    heard = givenUp.reason
  }
  await expect(bounded(act)).rejects.toThrow('does not answer')
  await expect.poll(() => heard).toBeInstanceOf(FolderFault)
})

it('a process that stops waits for no folder, and knows whether one still hangs', async () => {
  const threads = new FileThreads(3)
  const bounded = bound({ atOnceMost: 2, withinMs: 60_000 }, { threads })
  let goOn = (): void => undefined
  const act = bounded(() => new Promise<void>((resolve) => (goOn = resolve)))
  threads.abandon()
  await expect(act).rejects.toThrow('the process stops')
  expect(await threads.isIdleWithin(20)).toBe(false)
  setTimeout(() => goOn(), 20)
  expect(await threads.isIdleWithin(60_000)).toBe(true)
})
