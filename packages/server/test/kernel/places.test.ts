import { expect, it } from 'vitest'
import { PlaceLine } from '../../src/kernel/place-line.js'
import { Places } from '../../src/kernel/places.js'

const take = (places: Places, tenantId: string, owner: string) => places.take({ tenantId, owner })

it('a tenant has as many places as it leaves free, whoever asks for it', () => {
  const places = new Places(8, 3)
  const held = Array.from({ length: 6 }, (_, number) => take(places, 'first', `clinician ${number}`))
  expect(held.filter((release) => release !== null)).toHaveLength(4)
  expect(take(places, 'second', 'somebody')).not.toBeNull()
  expect(take(places, 'second', 'somebody else')).not.toBeNull()
  expect(take(places, 'second', 'a third')).toBeNull()
  expect(take(places, 'third', 'somebody there')).not.toBeNull()
  held[0]?.()
  // Given back once, however often it is said.
  held[0]?.()
  expect(take(places, 'fourth', 'somebody new')).not.toBeNull()
  expect(take(places, 'first', 'clinician 0')).toBeNull()
})

it('an owner has so many places and no more', () => {
  const places = new Places(100, 3)
  const one = { tenantId: 'first', owner: 'clinician' }
  for (let count = 0; count < 3; count += 1) expect(places.take(one)).not.toBeNull()
  expect(places.take(one)).toBeNull()
  expect(places.hasAll(one)).toBe(true)
  expect(places.hasAll({ ...one, owner: 'another' })).toBe(false)
})

it('in a line each owner’s and tenant’s share is waited for, and given on in order', async () => {
  const line = new PlaceLine({ most: 8, ofOwnerMost: 2, waitingMost: 3 })
  const one = { tenantId: 'first', owner: 'clinician' }
  const held = [await line.take(one, 0), await line.take(one, 0)]
  expect(held).not.toContain(null)
  const order: string[] = []
  const wait = (taker: typeof one, name: string) =>
    line.take(taker, 10_000).then((leave) => {
      order.push(name)
      return leave
    })
  const waiting = [wait(one, 'a'), wait(one, 'b')]
  // Nobody else stands behind them.
  expect(await line.take({ ...one, owner: 'another' }, 0)).not.toBeNull()
  expect(await line.take({ tenantId: 'second', owner: 'somebody' }, 0)).not.toBeNull()
  held[0]?.()
  expect(await waiting[0]).not.toBeNull()
  held[1]?.()
  expect(await waiting[1]).not.toBeNull()
  expect(order).toEqual(['a', 'b'])
  expect(await line.take(one, 20)).toBeNull()
})

it('beyond so many in a line nobody waits', async () => {
  const line = new PlaceLine({ most: 2, ofOwnerMost: 1, waitingMost: 1 })
  const one = { tenantId: 'first', owner: 'clinician' }
  const leave = await line.take(one, 0)
  const first = line.take(one, 60_000)
  expect(await line.take(one, 60_000)).toBeNull()
  leave?.()
  expect(await first).not.toBeNull()
})
