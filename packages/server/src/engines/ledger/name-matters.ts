import type { ReviewItem } from '@casenote/contract'
import { FIREARM_WORDS } from '../lexicon/firearm-words.js'
import { findMedications } from '../lexicon/medications.js'
import { nameDanger } from './label-finding.js'
import { readDangerClaims } from '../reader/danger/read-danger-claims.js'

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

/** What a text is about, for its line among the open points; what has no name comes first, with danger. */
export const nameMatter = (text: string): { kind: ReviewItem['kind']; name: string } => {
  const [claim] = readDangerClaims(text)
  if (claim !== undefined) return { kind: 'danger', name: nameDanger(claim) }
  const named = nameMatters(text)
  const [medicine] = findMedications(text)
  if (named.includes('weapons'))
    return { kind: 'danger', name: nameDanger({ matter: 'harm_to_others', element: 'means' }) }
  if (named.includes('danger')) return { kind: 'danger', name: 'Danger' }
  if (named.includes('allergies')) return { kind: 'allergy', name: 'Allergies' }
  if (medicine !== undefined) return { kind: 'medicine', name: capitalize(medicine.medication.generic) }
  if (named.includes('medicines')) return { kind: 'medicine', name: 'Medicines' }
  if (named.includes('disposition')) return { kind: 'decision', name: 'Disposition' }
  return /\d/.test(text) ? { kind: 'score', name: 'A number' } : { kind: 'danger', name: 'Danger' }
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
