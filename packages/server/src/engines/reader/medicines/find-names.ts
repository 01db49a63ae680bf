import { findAllMedications } from '../../lexicon/medications.js'
import type { Sentence } from '../talk/read-talk.js'
import { findMisheard } from './find-misheard.js'
import { findMisspelled } from './find-misspelled.js'
import { findUnlisted } from './find-unlisted.js'
import type { Named } from './mention.js'

/** "Are you on iron?"; "your potassium was low" is of the blood. */
const takesSalt =
  /\b(?:tak(?:e|es|ing)|took|on|gave me|give you|giving you|start(?:ed|ing)?|buy|bought)(?: (?:some|the|my|your|any|extra))? $/

/** "Calcium, five hundred", "iron, the 325 one": a level is "is" or "was". */
const doseBeside =
  /^, (?:the )?(?:\d{2,}|(?:one|two|three|four|five|six|twelve|a) (?:hundred|thousand|twenty|fifty)|(?:twenty|thirty|forty|fifty|sixty)\b)/

/** Not a medicine: "lithium battery", "nicotine" without a patch, a testosterone level, the pages of a sonata. */
const isNoMedicine = (text: string, { medication, start, end }: Named): boolean => {
  const behind = text.slice(end, end + 30).toLowerCase()
  const before = text.slice(Math.max(0, start - 30), start).toLowerCase()
  if (/^-(?:only|free)\b/.test(behind)) return true
  if (medication.generic === 'lithium') return /^[ -](?:ion|batter|mine)/.test(behind)
  if (medication.generic === 'nicotine')
    return (
      !/ /.test(text.slice(start, end)) &&
      !/^,? (?:the |an? )?(?:[\w-]+ )?(?:patch|gum|lozenge|replacement|spray|inhaler)/.test(behind)
    )
  const said = text.slice(start, end)
  // "The adrenaline of it", "a rush of adrenaline" are no injection, and the CBD may be a part of a city.
  if (/^adrenaline$/i.test(said))
    return (
      !/\b(?:g[eo]t|gave|given?|giving|had|need(?:ed|ing)?|used?|carr(?:y|ied)|(?:shot|dose|jab|injection) of)(?: (?:him|her|me|you|the|some|an?|my|your))* $/.test(
        before,
      ) || /^ (?:rush|junkie|kick|high|surge|dump|crash)/.test(behind)
    )
  if (said === 'CBD')
    return /\b(?:the|in|into|near) $/.test(before) && !/^ (?:oil|gumm|drops|capsules)/.test(behind)
  if (medication.generic === 'testosterone') return /^ (?:level|test|was|is (?:low|high))/.test(behind)
  if (medication.generic === 'insulin') return /^ (?:resist|level)/.test(behind)
  if (/^(?:vitamin [BD]|magnesium|zinc|folic acid)$/.test(medication.generic))
    return (
      /^(?: level| was| is (?:low|high|fine))/.test(behind) ||
      (/\b(?:tsh|thyroid|labs?|blood|bloods|panel|a1c|urine|level)\b/i.test(text) &&
        !/\b(?:tak(?:e|es|ing)|took|on)\b/i.test(text))
    )
  if (/^(?:iron|calcium|potassium)$/.test(medication.generic))
    return (
      !takesSalt.test(before) &&
      !/^,? (?:tablets?|pills?|supplements?|\d+ ?m)/.test(behind) &&
      !doseBeside.test(behind)
    )
  if (/^(?:epinephrine|dextromethorphan|heparin|morphine)$/.test(medication.generic)) return false
  if (text.slice(start, end) === 'Sonata' || /\b(?:piano|violin|moonlight) $/.test(before))
    return /\b(?:play|piano|music|violin|moonlight)/i.test(text)
  return false
}

/** From here an item is likely about medicines to the encoder, and from here plainly. */
const likelyAt = 0.2
const surelyAt = 0.5
/** Between them, a name may also be one that a recognizer wrote otherwise. */
const misheardAt = 0.4

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
  return [...named, ...misspelled, ...misheard, ...unlisted].toSorted((a, b) => a.start - b.start)
}
