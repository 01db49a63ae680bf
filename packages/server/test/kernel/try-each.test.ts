import { expect, it } from 'vitest'
import { DatabaseAway, DatabaseFault } from '../../src/kernel/db/db-errors.js'
import { tryEach } from '../../src/kernel/try-each.js'

it('one that fails holds up nothing behind it, and is told', async () => {
  const done: number[] = []
  const pass = tryEach([1, 2, 3, 4], async (number) => {
    if (number % 2 === 0) throw new Error(`${number} cannot be done`)
    done.push(number)
  })
  await expect(pass).rejects.toThrow('2 cannot be done')
  expect(done).toEqual([1, 3])
})

it('where the database is away, the others are not tried', async () => {
  const tried: number[] = []
  const pass = tryEach([1, 2, 3], async (number) => {
    tried.push(number)
    throw new DatabaseAway(new Error('away'))
  })
  await expect(pass).rejects.toBeInstanceOf(DatabaseAway)
  expect(tried).toEqual([1])
})

it.each(['57014', '55P03', '40001', '40P01', '53400'])(
  'a statement of one that ended with %s holds up nothing behind it',
  async (code) => {
    const done: number[] = []
    const pass = tryEach([1, 2], async (number) => {
      if (number === 1) throw new DatabaseFault(code, null, new Error('of this one'))
      done.push(number)
    })
    await expect(pass).rejects.toThrow(code)
    expect(done).toEqual([2])
  },
)

it.each(['57P01', '57P03', '08006', '25006'])('a database that ends with %s is away', async (code) => {
  const tried: number[] = []
  const pass = tryEach([1, 2], async (number) => {
    tried.push(number)
    throw new DatabaseFault(code, null, new Error('away'))
  })
  await expect(pass).rejects.toThrow(code)
  expect(tried).toEqual([1])
})

it('once its worker stops, nothing more is begun', async () => {
  const stopping = new AbortController()
  const begun: number[] = []
  const act = async (number: number): Promise<void> => {
    begun.push(number)
    if (number === 2) stopping.abort()
  }
  await tryEach([1, 2, 3, 4], act, { signal: stopping.signal })
  expect(begun).toEqual([1, 2])
})
