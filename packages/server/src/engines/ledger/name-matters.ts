import type { ReviewItem } from '@casenote/contract'
import { findMedications } from '../lexicon/medications.js'
import { nameDanger } from './label-finding.js'
import { readDangerClaims } from '../reader/danger/read-danger-claims.js'
import { withoutHarmless } from './harmless-words.js'
import { listDangerTopics, readDangers, type StatedDanger } from './read-dangers.js'
import { saysNotAsked } from './says-not-asked.js'

/** What may not leave a note unnamed beside danger and weapons, and how it is called in a refusal. */
const matters: readonly (readonly [string, RegExp])[] = [
  ['allergies', /\ballerg\w*/i],
  [
    'disposition',
    /\b(?:disposition|admitted|admission|discharged?|emergency (?:room|department)|911|999)\b/i,
  ],
]

const medicineWords = /\b(?:medicines?|medications?|meds|mg|milligrams?)\b/i

export const nameMatters = (text: string): string[] => {
  const topics = listDangerTopics(text)
  const told = withoutHarmless(text)
  return [
    ...(topics.includes('weapon') ? ['weapons'] : []),
    ...(topics.some((topic) => topic !== 'weapon') ? ['danger'] : []),
    ...matters.filter(([, words]) => words.test(told)).map(([name]) => name),
    ...(medicineWords.test(told) && !saysNotAsked(told) ? ['medicines'] : []),
    ...findMedications(text).map(({ medication }) => medication.generic),
  ]
}

/** What a text is about, for its line among the open points; what has no name comes first, with danger. */
export const nameMatter = (text: string): { kind: ReviewItem['kind']; name: string } => {
  const [danger] = readDangers(text)
  if (danger !== undefined) return { kind: 'danger', name: nameStated(danger) }
  const named = nameMatters(text)
  const [medicine] = findMedications(text)
  if (named.includes('allergies')) return { kind: 'allergy', name: 'Allergies' }
  if (medicine !== undefined) return { kind: 'medicine', name: capitalize(medicine.medication.generic) }
  if (named.includes('medicines')) return { kind: 'medicine', name: 'Medicines' }
  if (named.includes('disposition')) return { kind: 'decision', name: 'Disposition' }
  if (/\d/.test(text)) return { kind: 'score', name: 'A number' }
  const [claim] = readDangerClaims(withoutHarmless(text))
  return { kind: 'danger', name: claim === undefined ? 'Danger' : nameDanger(claim) }
}

export const nameStated = ({ topic, element, words }: StatedDanger): string => {
  if (topic === 'any') return 'Danger'
  if (topic !== 'weapon') return nameDanger({ matter: topic, element })
  return nameDanger({ matter: isBlade.test(words) ? 'harm_to_others' : 'suicide', element: 'means' })
}

const isBlade = /^kni(?:fe|ves)$/i

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
