import { isCommonWord } from '../../lexicon/common-words.js'
import { findSaidMedicines } from '../../lexicon/said-medicines.js'
import type { Sentence } from '../talk/read-talk.js'
import { allergyTalk, reactions, substances, tellsReaction } from './allergy-words.js'

/** So far behind "allergic to" its list may reach. */
export const namedReach = 70

export const isSame = (one: string, other: string): boolean =>
  one === other || one === `${other}s` || other === `${one}s`

/** "Sick as a dog", "red like a lobster": nobody is allergic to those. */
const likens = /\b(?:like|as) an? [a-z]+/g

export const listSubstancesIn = (plain: string): string[] =>
  [...plain.replace(likens, '').matchAll(substances)].map(([name]) => name)

export const listMedicines = (text: string): string[] => [...new Set(findAllergens(text))]

/** What is given against an allergy is named with every second one, and hardly ever meant by it. */
const remedies = new Set(
  `diphenhydramine cetirizine levocetirizine loratadine desloratadine fexofenadine chlorphenamine chlorpheniramine promethazine
  hydroxyzine epinephrine adrenaline montelukast fluticasone mometasone budesonide azelastine olopatadine ketotifen prednisone
  prednisolone hydrocortisone dexamethasone methylprednisolone famotidine calamine salbutamol albuterol`.split(
    /\s+/,
  ),
)
const takenFor =
  /\bfor (?:(?:the|my|his|her|your|an?|all|that|those|this|these|seasonal|spring|bad) ){0,3}(?:\w+ )?(?:allerg\w+|itch\w*|hives|rash(?:es)?|swelling|hay ?fever|sneez\w+|runny|reactions?|asthma|wheez\w+|spots|bumps|nausea|vomiting)\b/

/**
 * "Benadryl for the itching": a medicine before that "for", and whatever is given against allergies, unless it is called one, or is
 * all that is said.
 */
const isRemedy = (plain: string, name: string, generic: string): boolean => {
  const at = plain.indexOf(name.toLowerCase())
  if (isCalledAllergen(plain, name.toLowerCase())) return false
  const against = takenFor.exec(plain)
  if (against !== null && at >= 0 && at < against.index)
    return remedies.has(generic) || !tellsReaction(plain.replace(against[0], ''))
  return remedies.has(generic) && !isAllThatIsSaid(plain, at, name.length)
}

/** "Just prednisone.", "Benadryl, I get hives." */
const isAllThatIsSaid = (plain: string, at: number, length: number): boolean => {
  const behind = plain.slice(at + length)
  return (
    at >= 0 &&
    /^\W*(?:(?:just|only|yeah|yes|um|uh|oh|well|and|to|the|no|nope)[,. ]+){0,4}$/.test(plain.slice(0, at)) &&
    (/^\W*$/.test(behind) || (/^[,.:;]/.test(behind) && tellsReaction(behind)))
  )
}

/** "I broke out in hives on the prednisone", "Zyrtec put me in the hospital". */
const didIt =
  /\b(?:gets?|got|getting|had|have|has|developed|(?:br[eo]a?ke?|c[ao]mes?) (?:out|up) in) (?:[\w']+ ){0,2}(?:hives|rash(?:es)?|welts|swelling|itching)(?: (?:all over|everywhere|again|too|once))? (?:on|from|with|after|to) (?:the |my |that )?$|\b(?:swell|swells|swelled|swole|swollen|itch|itches|itched|anaphyla\w+)(?: up)? (?:on|from|with|after|to) (?:the |my |that )?$/
const putIn =
  /^ (?:(?:put|landed|sent|brought) (?:me|him|her) (?:in|to|into) (?:the |a )?(?:hospital|er\b|icu|emergency|ambulance|shock|a&e)|(?:nearly|almost) killed (?:me|him|her))/

const isCalledAllergen = (plain: string, name: string): boolean => {
  const at = plain.indexOf(name)
  return (
    /\b(?:allerg\w+|react\w*|sensitive|anaphyla\w+) (?:to|with) (?:[\w'-]+,? ){0,6}$/.test(
      plain.slice(0, at),
    ) ||
    /^(?:'s)?,? (?:allergy|(?:gives?|gave|makes?|made|brings?|brought) (?:me|him|her|us|them)\b)/.test(
      plain.slice(at + name.length),
    ) ||
    didIt.test(plain.slice(0, at)) ||
    putIn.test(plain.slice(at + name.length))
  )
}

/** Medicines that a text names as what somebody may not bear. */
const findAllergens = (text: string): string[] => {
  const plain = text.toLowerCase()
  return findSaidMedicines(text).flatMap(({ name, medication }) => {
    const generic = medication.generic.toLowerCase()
    return isRemedy(plain, name, generic) ? [] : [generic]
  })
}

export const namesSubstance = (clause: string, substance: string): boolean =>
  clause.includes(substance) ||
  listSubstancesIn(clause).some((name) => isSame(name, substance)) ||
  findSaidMedicines(clause).some(({ medication }) => medication.generic.toLowerCase() === substance)

/** The medicines and other substances that a sentence names, each once. */
export const listSubstances = (sentence: Pick<Sentence, 'text'>): string[] => {
  // "No problems, I'm allergic to shellfish, any medicine just the pill": what is behind the word is meant.
  const at = sentence.text.toLowerCase().search(/\ballergic to\b/)
  const text = at < 0 ? sentence.text : sentence.text.slice(at, at + namedReach)
  const before =
    at < 0
      ? []
      : findSaidMedicines(sentence.text.slice(Math.max(0, at - 25), at)).filter(() =>
          /\bi'm $/i.test(sentence.text.slice(0, at)),
        )
  const medicines = [
    ...before.map(({ medication }) => medication.generic.toLowerCase()),
    ...findAllergens(text),
  ]
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
  /^(?:(?:um|uh|erm|er|oh|ay|ah|well|yeah|yes|aye|just|only|and|still|also|okay|no|nah|nope)[, .]{1,3}){0,4}(?:(?:the|some) )?(?<name>[a-z][a-z-]{2,}(?: [a-z][a-z-]{2,})?)(?: only)?(?=[,.]|$)/
const isNoName = new Set(
  `erm um uh yes yeah yep nope nah naw aye ach och nowt allergy allergies none nothing never not sure maybe right okay fine good great thanks thank sorry well just only when what where
  which who how why that this these those them they you she he her his him our their your mine medicine medicines medication
  medications tablets drugs food foods everything anything something once twice before sometimes always usually same here there now
  then all don't know really honestly actually god hang wait sick rash hives swelling itching asthma hay fever eczema long time
  years ago the and but because still`.split(/\s+/),
)

/** "Twenty sixteen.", "Last May.", "Age four.": when it was, or how often, and nothing that anybody could not bear. */
const isWhen =
  /(?:^|[ -])(?:oh|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]{3,6}teen|(?:twen|thir|for|fif|six|seven|eigh|nine)t(?:y|ies)|hundred|thousand|half|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|winter|christmas|easter|morning|evening|night|today|yesterday|week|month|year|years|last|age|aged|high school|college)(?=$|[ -])/

/** What no list has, named first in an answer: with what it does behind it, or as a word that is no English one. */
export const readUnlisted = (sentence: Sentence, next: string): string | null => {
  const name = opensWithName.exec(sentence.plain)?.groups?.['name']
  if (name === undefined || name.split(' ').some((word) => isNoName.has(word))) return null
  if (reactions.test(name) || isWhen.test(name)) return null
  const isTold = reactions.test(sentence.plain.slice(name.length)) || reactions.test(next)
  return !isCommonWord(name) || isTold ? name : null
}

/** So short a question behind one about allergies goes on with it: "Anything at all?", "Food, medicines?" */
const goingOn =
  /^(?:and|or|um|uh|okay|so|any|anything|nothing|no|else|other|at|all|foods?|medicines?|medications?|meds|drugs?|antibiotics?|latex|pollen|animals?|pets?|tablets|like|that|those|of|to|you|your|know|about|aware|are|is|there|sort|kind|reactions?|bad|rash\w*|hives|what|either|none|environmental|seasonal|ever|had|have|does|do|it|happens?|happened|when|with)$/
const goesOn = (plain: string): boolean =>
  plain
    .split(/[\s,.?]/)
    .filter((word) => word !== '')
    .every((word) => goingOn.test(word))
export const asksUse =
  /\b(?:still|on|taking|take|takes|using|use|how|refills?|switch|need|dose|working|help\w*|smoke|drink)\b/

/** Of two questions in one turn the last is answered: "Any allergies? Still on the lisinopril?" */
export const asksOtherLast = (sentences: readonly { plain: string; asks: boolean }[]): boolean => {
  const last = sentences.findLast(({ asks }) => asks)?.plain
  if (last === undefined || allergyTalk.test(last) || goesOn(last)) return false
  return (
    asksUse.test(last) ||
    last.split(' ').length > askedWordsMax ||
    listSubstances({ text: last }).length === 0
  )
}

/** "Penicillin?", "What happened with the sulfa?": longer ones ask about something else. */
export const askedWordsMax = 8
