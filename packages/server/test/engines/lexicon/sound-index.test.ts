import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MEDICATIONS } from '../../../src/engines/lexicon/medications.js'
import {
  leastSoundDistance,
  measureSoundDistance,
  toSounds,
} from '../../../src/engines/lexicon/sound-alike.js'
import { makeSoundIndex } from '../../../src/engines/lexicon/sound-index.js'

const names = MEDICATIONS.flatMap(({ generic, brands }) =>
  [generic, ...brands].map((name) => ({ name, sounds: toSounds(name) })),
)
const index = makeSoundIndex(names)

/** Each name by itself. */
const compareWithEach = (said: string, leastMax: number, distanceMax: number) =>
  names
    .filter(({ sounds }) => leastSoundDistance(said, sounds) <= leastMax)
    .map((name) => ({ name, distance: measureSoundDistance(said, name.sounds) }))
    .filter(({ distance }) => distance <= distanceMax)

const letters = fc.constantFrom('a', 'e', 'i', 'o', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'x', 'z')
const heard = fc.array(
  fc.oneof(
    fc.constantFrom('sir', 'tra', 'lean', 'quiet', 'a', 'peen', 'search', 'for', 'line', 'blue', 'prion'),
    fc.string({ unit: letters, maxLength: 12 }),
  ),
  { minLength: 1, maxLength: 4 },
)
const anyWords = fc.oneof(
  heard,
  fc.constantFrom(...names).map(({ name }) => [name]),
)

it('finds the names that a comparison with each finds, at the same distances and in the same order', () => {
  let foundCount = 0
  fc.assert(
    fc.property(
      anyWords,
      fc.double({ min: 0, max: 0.4, noNaN: true }),
      fc.double({ min: 0, max: 0.1, noNaN: true }),
      (words, leastMax, more) => {
        const said = toSounds(words.join(' '))
        const found = index.findWithin(said, { leastMax, distanceMax: leastMax + more })
        expect(found).toEqual(compareWithEach(said, leastMax, leastMax + more))
        foundCount += found.length
      },
    ),
    { numRuns: 400, seed: 20_261_117 },
  )
  expect(foundCount).toBeGreaterThan(100)
})

it('finds nothing in what is longer than any name', () => {
  expect(index.findWithin('ser'.repeat(50_000), { leastMax: 0.3, distanceMax: 0.3 })).toEqual([])
})
