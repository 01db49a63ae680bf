import { isCommonWord } from '../../../lexicon/common-words.js'
import { leastSoundDistance, measureSoundDistance, toSounds } from '../../../lexicon/sound-alike.js'
import { tokenizeWords } from '../../text/tokenize-words.js'
import type { NamedMedicine } from './find-medicines.js'

/** "certraline" is 0 from sertraline, "bupe norphine" 0.11 from buprenorphine, "lamb ectal" 0.15 from Lamictal, and modafinil 0.12 from armodafinil. */
const distanceMax = 0.12

/** Shorter sounds are like too many words. */
const soundsMin = 6

/** Each medicine as it was named rightly, and in which item. */
export type RightNames = ReadonlyMap<string, { name: string; item: number }>

/** Names that a speech engine wrote wrongly once and rightly elsewhere in the session: only those that it wrote rightly. */
export const findMisheard = (
  text: string,
  known: readonly NamedMedicine[],
  names: RightNames,
): NamedMedicine[] => {
  const tokens = tokenizeWords(text)
  const phrases = tokens.flatMap((first, index) =>
    [first, tokens[index + 1]].flatMap((last, more) =>
      last === undefined ||
      tokens.slice(index, index + more + 1).some(({ lower }) => isCommonWord(lower)) ||
      known.some(({ start, end }) => first.start < end && last.end > start)
        ? []
        : [{ start: first.start, end: last.end }],
    ),
  )
  if (phrases.length === 0) return []
  const heard = phrases.map((phrase) => ({
    ...phrase,
    sounds: toSounds(text.slice(phrase.start, phrase.end)),
  }))
  return [...names].flatMap(([key, { name, item }]) => {
    const sounds = toSounds(name)
    if (sounds.length < soundsMin) return []
    const [nearest] = heard
      .filter((phrase) => leastSoundDistance(phrase.sounds, sounds) <= distanceMax)
      .map(({ start, end, sounds: said }) => ({ start, end, distance: measureSoundDistance(said, sounds) }))
      .toSorted((a, b) => a.distance - b.distance)
    return nearest === undefined || nearest.distance > distanceMax
      ? []
      : [{ key, name, start: nearest.start, end: nearest.end, namedIn: item }]
  })
}
