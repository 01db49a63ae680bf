import { isCommonWord } from './common-words.js'
import type { TermCorrection } from './correct-instruments.js'
import { findAllMedications } from './medications.js'
import { leastSoundDistance, measureSoundDistance, toSounds } from './sound-alike.js'

/** A word as a clinician or a clinic writes it, and what recognizers made of it. */
export interface SpokenTerm {
  term: string
  heard: readonly string[]
}

/** A name is misheard as up to four words, as those of medicines are. */
const wordsMax = 4

/**
 * What is misheard as plain English, or as another name, is only known by what somebody put right: "Daniel" and "Danielle"
 * sound alike. An odd word that the recognizer wrote as no name may sound a little apart.
 */
const distanceMax = 0.15
const shortSounds = 5
const shortFactor = 0.5

/** Nobody's everyday talk may be changed by what is learned from one slip, nor a medicine that was said. */
export const isEverydayPhrase = (phrase: string): boolean =>
  listWords(phrase).every(({ text }) => isCommonWord(text)) || findAllMedications(phrase).length > 0

interface Word {
  text: string
  start: number
  end: number
}

const listWords = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }))

const toKey = (words: readonly Word[]): string => words.map(({ text }) => text.toLowerCase()).join(' ')

export type CorrectVocabulary = (text: string, corrections: TermCorrection[]) => string

/** For one recording: the terms are read once. Of two that are heard alike the later one wins. */
export function makeVocabularyCorrection(terms: readonly SpokenTerm[]): CorrectVocabulary {
  if (terms.length === 0) return (text) => text
  const byHeard = new Map(
    terms.flatMap(({ term, heard }) => heard.map((one) => [toKey(listWords(one)), term] as const)),
  )
  const written = new Set(terms.map(({ term }) => toKey(listWords(term))))
  const sounding = terms.map(({ term }) => ({ term, sounds: toSounds(term) }))
  const findTerm = (words: readonly Word[], isKnown: boolean): string | null => {
    const key = toKey(words)
    const taught = byHeard.get(key)
    if (taught !== undefined) return taught
    // At its edges a misheard name is no plain English: those words belong to the sentence.
    const isOdd = [words[0], words.at(-1)].every((word) => word !== undefined && !isCommonWord(word.text))
    const isName = words.some(({ text }) => /^\p{Lu}/u.test(text))
    return isKnown || isName || !isOdd || words.some((word) => written.has(toKey([word])))
      ? null
      : findSoundAlike(words, sounding)
  }
  return (text, corrections) => {
    const words = listWords(text)
    const known = findAllMedications(text)
    const parts: string[] = []
    let from = 0
    for (let first = 0; first < words.length; first += 1) {
      const longest = Math.min(wordsMax, countJoined(text, words, first))
      for (let count = longest; count > 0; count -= 1) {
        const phrase = words.slice(first, first + count)
        const [start, end] = [phrase[0]!.start, phrase.at(-1)!.end]
        const isKnown = known.some((mention) => mention.start < end && start < mention.end)
        const term = findTerm(phrase, isKnown)
        const heard = text.slice(start, end)
        if (term === null || term === heard) continue
        parts.push(text.slice(from, start), term)
        corrections.push({ heard, corrected: term })
        from = end
        first += count - 1
        break
      }
    }
    return parts.join('') + text.slice(from)
  }
}

/** Words with nothing but a space between them. */
function countJoined(text: string, words: readonly Word[], first: number): number {
  let count = 1
  while (count < wordsMax && first + count < words.length) {
    const [before, after] = [words[first + count - 1]!, words[first + count]!]
    if (!/^[\s-]+$/.test(text.slice(before.end, after.start))) break
    count += 1
  }
  return count
}

function findSoundAlike(
  words: readonly Word[],
  sounding: readonly { term: string; sounds: string }[],
): string | null {
  const sounds = toSounds(words.map(({ text }) => text).join(' '))
  if (sounds === '') return null
  let best: string | null = null
  let distance = Infinity
  for (const one of sounding) {
    const limit = distanceMax * (one.sounds.length <= shortSounds ? shortFactor : 1)
    if (one.sounds === '' || leastSoundDistance(one.sounds, sounds) > limit) continue
    const found = measureSoundDistance(one.sounds, sounds)
    if (found <= limit && found <= distance) [best, distance] = [one.term, found]
  }
  return best
}
