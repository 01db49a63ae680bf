import { findAllMedications } from '../../lexicon/medications.js'
import { isNoMedicine } from '../../lexicon/said-medicines.js'
import type { Sentence } from '../talk/read-talk.js'
import { findMisheard } from './find-misheard.js'
import { findMisspelled } from './find-misspelled.js'
import { findUnlisted } from './find-unlisted.js'
import type { Named } from './mention.js'

/** From here an item is likely about medicines to the encoder, and from here plainly. */
const likelyAt = 0.2
const surelyAt = 0.5
/** From here, between the two, a word may also be a name that the recognizer misspelled. */
const misheardAt = 0.4

/** "The patch, the twenty-one": no other is sold so. */
const nicotinePatch =
  /\b(?:patch(?:es)?)\b(?![^.?!]{0,40}\b(?:since|was|age|started at)\b)(?=[^.?!]{0,40}\b(?:21|14|twenty-one|fourteen)\b(?! (?:days|hours|weeks|years)))|(?<=\b(?:21|14|twenty-one|fourteen)(?: milligrams?| mg)? )patch(?:es)?\b/gi

const findPatch = (text: string): Named[] =>
  [...text.matchAll(nicotinePatch)].slice(0, 1).flatMap(({ 0: said, index }) => {
    const medication = findAllMedications('nicotine patch')[0]?.medication
    return medication === undefined ? [] : [{ medication, said, start: index, end: index + said.length }]
  })

/** The names in a sentence: those of the lists, and in talk of medicines also misheard ones and those that no list has. */
export const findNamed = (sentence: Sentence, about: number, seen: ReadonlySet<string>): Named[] => {
  const all = findAllMedications(sentence.text).map(({ medication, name, start, end }) => ({
    medication,
    said: name,
    start,
    end,
  }))
  const named = all.filter((one) => !isNoMedicine(sentence.text, one))
  const misspelled = about >= likelyAt ? findMisspelled(sentence.text, all) : []
  const misheard = about >= misheardAt ? findMisheard(sentence.text, [...all, ...misspelled]) : []
  const unlisted = findUnlisted(
    sentence.text,
    [...all, ...misspelled, ...misheard],
    about >= surelyAt ? 'surely' : about >= likelyAt ? 'likely' : 'no',
    seen,
  )
  if (named.length === 0) named.push(...findPatch(sentence.text))
  return [...named, ...misspelled, ...misheard, ...unlisted].toSorted((a, b) => a.start - b.start)
}
