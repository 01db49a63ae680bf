import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { BodyTurns } from '../../src/http/body-turns.js'

it('large bodies are read one in a turn of the loop, those of one owner after one of each other', async () => {
  const turns = new BodyTurns()
  const told: string[] = []
  let turn = 0
  const read = async (owner: string): Promise<void> => {
    await turns.take(owner)
    told.push(`${owner} in turn ${turn}`)
  }
  const all = Promise.all(['busy', 'busy', 'busy', 'busy', 'other', 'third'].map(read))
  while (told.length < 6) {
    await nextTurn()
    turn += 1
  }
  await all
  expect(told.map((one) => one.split(' ')[0])).toEqual(['busy', 'other', 'third', 'busy', 'busy', 'busy'])
  expect(new Set(told.map((one) => one.split(' ').at(-1))).size).toBe(6)
  // And nobody waits for a turn that nobody else has.
  await turns.take('late')
})
