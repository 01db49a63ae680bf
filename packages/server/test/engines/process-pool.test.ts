import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { EngineFault } from '../../src/engines/engine-fault.js'
import { openProcessPool, type ProcessPool } from '../../src/engines/process-pool.js'

/** Says its number and the word; "nothing" is never answered, "die" ends it. */
const script = `
process.send('ready')
process.on('message', ({ word }) => {
  if (word === 'die') process.exit(1)
  if (word === 'fault') process.send({ fault: 'as told' })
  else if (word !== 'nothing') process.send({ word, pid: process.pid })
})
`

interface Answer {
  word: string
  pid: number
}

const never = new AbortController().signal
let folder: string
let file: string
let pool: ProcessPool<{ word: string }, Answer>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casenote-process-pool-'))
  file = join(folder, 'parrot.mjs')
  await writeFile(file, script)
})
afterAll(() => rm(folder, { recursive: true, force: true }))
afterEach(() => pool.close())

const open = (jobTimeoutMs = 30_000): ProcessPool<{ word: string }, Answer> =>
  openProcessPool({
    name: 'The parrot',
    file: pathToFileURL(file),
    args: [],
    processCount: 1,
    jobTimeoutMs,
    idleMs: 30_000,
    waitingMax: 3,
    readReply: (message) => {
      if (message === 'ready') return null
      const reply = message as Answer | { fault: string }
      if ('fault' in reply) throw new EngineFault('refused', reply.fault)
      return reply
    },
  })

const faultOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'answered',
    (error: unknown) => (error instanceof EngineFault ? [error.kind, error.message] : error),
  )

describe('a pool of processes', () => {
  it('asks one process one thing at a time, the urgent first', async () => {
    pool = open()
    const order: string[] = []
    const ask = async (word: string, isUrgent = false) => {
      const { pid } = await pool.ask({ word }, never, { isUrgent })
      order.push(word)
      return pid
    }
    const pids = await Promise.all([ask('first'), ask('second'), ask('third'), ask('urgent', true)])
    expect(order).toEqual(['first', 'urgent', 'second', 'third'])
    expect(new Set(pids).size).toBe(1)
  })

  it('lets owners take turns, however many of one wait', async () => {
    pool = open()
    const order: string[] = []
    const ask = async (word: string, owner: string) => {
      await pool.ask({ word }, never, { owner })
      order.push(word)
    }
    await Promise.all([ask('a1', 'a'), ask('a2', 'a'), ask('a3', 'a'), ask('b1', 'b')])
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('ends a process that takes too long, dies or tells of a fault, and goes on with another', async () => {
    // Long enough for a process to start on a busy machine: the others must answer within it.
    pool = open(5_000)
    const { pid } = await pool.ask({ word: 'hello' }, never)
    expect(await faultOf(pool.ask({ word: 'nothing' }, never))).toEqual([
      'timeout',
      'The parrot took too long',
    ])
    expect(await faultOf(pool.ask({ word: 'die' }, never))).toEqual([
      'unavailable',
      'The parrot broke off: its process ended',
    ])
    expect(await faultOf(pool.ask({ word: 'fault' }, never))).toEqual(['refused', 'as told'])
    expect((await pool.ask({ word: 'again' }, never)).pid).not.toBe(pid)
  })

  it('refuses when too many wait, and what waits when it is closed', async () => {
    pool = open()
    const asked = ['nothing', 'a', 'b', 'c'].map((word) => faultOf(pool.ask({ word }, never)))
    expect(await faultOf(pool.ask({ word: 'd' }, never))).toEqual([
      'unavailable',
      'The parrot has too many waiting',
    ])
    await pool.close()
    const closed = ['unavailable', 'The parrot is closed']
    expect(await Promise.all(asked)).toEqual([
      ['unavailable', 'The parrot broke off: its process ended'],
      closed,
      closed,
      closed,
    ])
  })
})
