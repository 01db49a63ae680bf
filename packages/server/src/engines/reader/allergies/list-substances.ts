import { isCommonWord } from '../../lexicon/common-words.js'
import { findAllMedications } from '../../lexicon/medications.js'
import type { Sentence } from '../talk/read-talk.js'
import { reactions, substances } from './allergy-words.js'

/** So far behind "allergic to" its list may reach. */
export const namedReach = 70

export const isSame = (one: string, other: string): boolean =>
  one === other || one === `${other}s` || other === `${one}s`

/** "Sick as a dog", "red like a lobster": nobody is allergic to those. */
const likens = /\b(?:like|as) an? [a-z]+/g

export const listSubstancesIn = (plain: string): string[] =>
  [...plain.replace(likens, '').matchAll(substances)].map(([name]) => name)

export const listMedicines = (text: string): string[] => [
  ...new Set(findAllMedications(text).map(({ medication }) => medication.generic.toLowerCase())),
]

/** The medicines and other substances that a sentence names, each once. */
export const listSubstances = (sentence: Pick<Sentence, 'text'>): string[] => {
  // "No problems, I'm allergic to shellfish, any medicine just the pill": what is behind the word is meant.
  const at = sentence.text.toLowerCase().search(/\ballergic to\b/)
  const text = at < 0 ? sentence.text : sentence.text.slice(at, at + namedReach)
  const before =
    at < 0
      ? []
      : findAllMedications(sentence.text.slice(Math.max(0, at - 25), at)).filter(() =>
          /\bi'm $/i.test(sentence.text.slice(0, at)),
        )
  const medicines = [...before, ...findAllMedications(text)].map(({ medication }) =>
    medication.generic.toLowerCase(),
  )
  const others = listSubstancesIn(text.toLowerCase())
  return [
    ...new Set([
      ...medicines,
      ...others.filter((name) => !medicines.some((medicine) => isSame(medicine, name))),
    ]),
  ]
}

/** "Nolotil.", "Only dust.", "And elastoplast, I come up in a weal." */
const opensWithName =
  /^(?:(?:um|uh|oh|ay|ah|well|yeah|yes|aye|just|only|and|still|also|okay|no|nah|nope)[, .]{1,3}){0,4}(?:(?:the|some) )?(?<name>[a-z][a-z-]{2,}(?: [a-z][a-z-]{2,})?)(?: only)?(?=[,.]|$)/
const isNoName = new Set(
  `yes yeah yep nope nah naw aye ach och nowt allergy allergies none nothing never not sure maybe right okay fine good great thanks thank sorry well just only when what where
  which who how why that this these those them they you she he her his him our their your mine medicine medicines medication
  medications tablets drugs food foods everything anything something once twice before sometimes always usually same here there now
  then all don't know really honestly actually god hang wait sick rash hives swelling itching asthma hay fever eczema long time
  years ago the and but because still`.split(/\s+/),
)

/** What no list has, named first in an answer: with what it does behind it, or as a word that is no English one. */
export const readUnlisted = (sentence: Sentence, next: string): string | null => {
  const name = opensWithName.exec(sentence.plain)?.groups?.['name']
  if (name === undefined || name.split(' ').some((word) => isNoName.has(word))) return null
  if (reactions.test(name)) return null
  const isTold = reactions.test(sentence.plain.slice(name.length)) || reactions.test(next)
  return !isCommonWord(name) || isTold ? name : null
}
