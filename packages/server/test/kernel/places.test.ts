import { expect, it } from 'vitest'
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
