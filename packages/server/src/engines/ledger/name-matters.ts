import { FIREARM_WORDS } from '../lexicon/firearm-words.js'
import { findMedications } from '../lexicon/medications.js'

/** What may not leave a note unnamed, and how it is called in a refusal. */
const matters: readonly (readonly [string, RegExp])[] = [
  ['weapons', new RegExp(`\\b(?:${FIREARM_WORDS}|weapons?|knife|knives)\\b`, 'i')],
  [
    'danger',
    /\b(?:danger|suicid\w*|self[- ]?harm\w*|homicid\w*|kill\w*|overdos\w*|better off dead|wish to be dead|hurt(?:ing)? (?:my|your|him|her|them)sel\w+|abuse\w*|violen\w*|neglect|voices|psychosis|harm to others|crisis|988|SI|HI)\b/i,
  ],
  ['allergies', /\ballerg\w*/i],
  [
    'disposition',
    /\b(?:disposition|admitted|admission|discharged?|emergency (?:room|department)|911|999)\b/i,
  ],
  ['medicines', /\b(?:medicines?|medications?|meds|mg|milligrams?)\b/i],
]

export const nameMatters = (text: string): string[] => [
  ...matters.filter(([, words]) => words.test(text)).map(([name]) => name),
  ...findMedications(text).map(({ medication }) => medication.generic),
]
