import { findAllMedications, type MedicationMention } from './medications.js'

/** "Are you on iron?"; "your potassium was low" is of the blood. */
const takesSalt =
  /\b(?:tak(?:e|es|ing)|took|on|gave me|give you|giving you|start(?:ed|ing)?|buy|bought)(?: (?:some|the|my|your|any|extra))? $|\ballergic to $/

/** "Calcium, five hundred", "iron, the 325 one": a level is "is" or "was". */
const doseBeside =
  /^, (?:the )?(?:\d{2,}|(?:one|two|three|four|five|six|twelve|a) (?:hundred|thousand|twenty|fifty)|(?:twenty|thirty|forty|fifty|sixty)\b)/
/** "Calcium 600", "the iron's sixty-five", "potassium, ten milliequivalents": what tablets have, and no laboratory gives. */
const tabletBeside =
  /^(?:['’]s|,| is)? (?:(?:the|about|like|just|only) ){0,2}(?:(?:65|325|500|600|1,?000|1,?200|sixty[- ]five|three[- ]twenty[- ]five|six hundred|five hundred|a thousand|twelve hundred)(?![-.]?\w)|[\w-]+(?: [\w-]+)? ?(?:mgs?|milligrams?|m[eé]qs?|milliequivalents?)\b)/i
/** "Iron?", "Still on the iron?": asked of what is taken. */
const isAskedAlone =
  /(?:^|[.?!] )(?:(?:and|any|okay|right|so|what about|how about|still on|still taking)[, ]+){0,3}(?:the |your )?$/i

/** Not a medicine: "lithium battery", "nicotine" without a patch, a testosterone level, the pages of a sonata. */
export const isNoMedicine = (
  text: string,
  { medication, start, end }: Pick<MedicationMention, 'medication' | 'start' | 'end'>,
): boolean => {
  const behind = text.slice(end, end + 30).toLowerCase()
  const before = text.slice(Math.max(0, start - 30), start).toLowerCase()
  if (/^-(?:only|free)\b/.test(behind)) return true
  if (medication.generic === 'lithium') return /^[ -](?:ion|batter|mine)/.test(behind)
  const said = text.slice(start, end)
  // A brand of it is never the drug that is smoked.
  if (medication.generic === 'nicotine')
    return (
      /^nicotine$/i.test(said) &&
      !/^,? (?:the |an? )?(?:[\w-]+ )?(?:patch|gum|lozenge|replacement|spray|inhaler)/.test(behind)
    )
  // "The adrenaline of it", "a rush of adrenaline" are no injection, and the CBD may be a part of a city.
  if (/^adrenaline$/i.test(said))
    return (
      !/\b(?:g[eo]t|gave|given?|giving|had|need(?:ed|ing)?|used?|carr(?:y|ied)|(?:shot|dose|jab|injection) of)(?: (?:him|her|me|you|the|some|an?|my|your))* $/.test(
        before,
      ) || /^ (?:rush|junkie|kick|high|surge|dump|crash)/.test(behind)
    )
  if (/^azores$/i.test(said)) return true
  // "And the prenatal, and iron": not a prenatal visit.
  if (/^prenatal$/i.test(said))
    return !(
      /\b(?:the|a|my|your|and|on|any|still) $/.test(before) &&
      /^(?:[.,;?!]|$| (?:and|every|with|daily|at night|in the morning)\b)/.test(behind)
    )
  if (/^skyla$/i.test(said))
    return !/\b(?:iud|coil|inserted|fitted|birth control|contracepti\w+)\b/i.test(text)
  if (said === 'CBD')
    return /\b(?:the|in|into|near) $/.test(before) && !/^ (?:oil|gumm|drops|capsules)/.test(behind)
  if (medication.generic === 'testosterone')
    return (
      /^ (?:level|test|was|is (?:low|high))/.test(behind) ||
      (/\b(?:your|my|his|her) $/.test(before) &&
        /^(?:['’]s| is| came)\b(?! (?:helping|working|running out))/.test(behind))
    )
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
      !doseBeside.test(behind) &&
      !tabletBeside.test(behind) &&
      !(
        isAskedAlone.test(before) &&
        (behind.startsWith('?') || (medication.generic === 'iron' && behind.startsWith('.')))
      )
    )
  if (/^(?:epinephrine|dextromethorphan|heparin|morphine)$/.test(medication.generic)) return false
  if (text.slice(start, end) === 'Sonata' || /\b(?:piano|violin|moonlight) $/.test(before))
    return /\b(?:play|piano|music|violin|moonlight)/i.test(text)
  return false
}

/** Every medicine that a text names as one: not a lithium battery, a rush of adrenaline or the potassium of the blood. */
export const findSaidMedicines = (text: string): MedicationMention[] =>
  findAllMedications(text).filter((mention) => !isNoMedicine(text, mention))
