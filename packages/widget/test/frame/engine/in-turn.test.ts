import { expect, it } from 'vitest'
import { makeTurns } from '../../../src/frame/engine/in-turn.js'

it('a call of the page that fails does not hold up those after it, and one from before a logout is not made', async () => {
  let era = 0
  const inTurn = makeTurns(() => era)
  const done: string[] = []
  await expect(inTurn(() => Promise.reject(new Error('no room on this device')))).rejects.toThrow('no room')
  await inTurn(() => done.push('after it'))
  const late = inTurn(
    () => done.push('too late'),
    () => done.push('put away'),
  )
  era += 1
  await late
  expect(done).toEqual(['after it', 'put away'])
})
