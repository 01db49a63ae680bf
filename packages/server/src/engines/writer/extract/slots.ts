import { TEMPLATE_PARTS, type NoteTemplate } from '@casenote/contract'
import { PLACES, type Place, type Topic } from '../../reader/reading.js'
import { findHolder, placeOf, type Kind, type TalkPart } from '../templates/note-template.js'
import type { Heading } from './line.js'
import type { Said } from './read-turns.js'

/** What kind of talk stands in a slot. */
type SlotKind = Kind | 'other'

/** A part of a note that quotes can stand in. */
export interface Slot {
  kind: SlotKind
  section: string
  heading: Heading | null
  /** A section for a part of what is said in these places: by topic, by words, or by both. */
  part?: Part
}

interface Part {
  of: readonly Place[]
  topics?: readonly Topic[]
  words?: RegExp
}

const told: readonly Place[] = ['reported', 'history']
const taken: readonly Place[] = ['reported', 'medicines']

/** Words of a sentence that tells a change, in a turn that is about one. */
const changesMedicine =
  /\b(?:mg|mgs|milligrams?|micrograms?|mcg|units?|doses?|tablets?|pills?|capsules?|patch|prescri\w+|refills?|medicines?|medications?|increas\w+|decreas\w+|rais(?:e|ing)|lower\w*|reduc\w+|taper\w*|stop (?:the|your|taking|it)|start (?:the|you|on|with|taking)|switch\w*|add (?:a|an|the|some|in)|go (?:up|down)|keep (?:you )?on|stay on)\b/i

/** What is said in a part that a template has a section for. */
const TALK: Readonly<Record<TalkPart, Part>> = {
  presenting: { of: ['reported'], topics: ['presenting'] },
  adherence: {
    of: taken,
    words: /\b(?:miss(?:ed|ing)?|forg[eo]t\w*|skip\w*|regularly|as prescribed|ran out|run out)\b/i,
  },
  med_response: { of: taken, topics: ['med_response'] },
  side_effects: { of: taken, topics: ['side_effects'] },
  substance: { of: told, topics: ['substance', 'substance_history'] },
  goal: { of: told, topics: ['goal'] },
  treatment_goals: { of: ['reported'], topics: ['goal'] },
  strengths: { of: told, topics: ['strengths', 'protective'] },
  psych_history: { of: ['history'], topics: ['psych_history'] },
  medical: { of: told, topics: ['medical'] },
  family_history: { of: told, topics: ['family_history'] },
  social_history: { of: told, topics: ['social_history'] },
  trauma_history: { of: ['history'], topics: ['trauma_history'] },
  scores: { of: ['observed'], topics: ['scores'] },
  med_change: { of: ['plan'], topics: ['med_change'], words: changesMedicine },
}

export function listSlots(template: NoteTemplate): Slot[] {
  const parts = TEMPLATE_PARTS.flatMap((name): Slot[] => {
    const section = findHolder(template, name)
    const part = TALK[name]
    if (section === null) return []
    const kind = part.of.includes('plan') ? 'plan' : part.of.includes('observed') ? 'observed' : 'reported'
    return [{ kind, section, heading: null, part }]
  })
  const slot = (kind: Kind, heading: Heading | null): Slot => ({
    kind,
    section: placeOf(template, kind),
    heading,
  })
  return [
    slot('danger', 'Danger'),
    slot('reported', null),
    slot('medicines', 'Medicines'),
    slot('allergies', 'Allergies'),
    slot('observed', null),
    slot('judgement', null),
    slot('done', 'Interventions'),
    slot('response', null),
    slot('plan', null),
    { kind: 'other', section: placeOf(template, 'reported'), heading: 'Other' },
    ...parts,
  ]
}

/** What is seen, judged and done is the clinician's to say: so much of it is believed of another. */
const saidByOther = 0.12

/** How clear a topic must be to take half of what was said to its part. */
const partAt = 0.35

/** For each slot the share of a sentence that belongs there: of one with content they make its content. */
export function shareSlots(
  said: Said,
  slots: readonly Slot[],
  { isNearDanger }: { isNearDanger: boolean },
): number[] {
  const isClinicians = said.speaker === 'clinician' && !said.asks
  const mass = new Map(PLACES.map((place) => [place, said.figures.places[place] ?? 0]))
  const move = (from: Place, to: Place, part: number): void => {
    const moved = (mass.get(from) ?? 0) * part
    mass.set(from, (mass.get(from) ?? 0) - moved)
    mass.set(to, (mass.get(to) ?? 0) + moved)
  }
  if (!isClinicians) {
    move('observed', 'reported', 1 - saidByOther)
    move('judgement', 'reported', 1 - saidByOther)
  }
  // Under Danger stands what the reader found, and what was said around it.
  if (!isNearDanger) move('danger', 'reported', 1)
  const shares = slots.map((slot) => (slot.part === undefined ? ownShare(slot, mass, isClinicians) : 0))
  for (const place of ['reported', 'history', 'medicines', 'observed', 'plan'] as const) {
    const parts = slots.flatMap(({ part }, at) =>
      part?.of.includes(place) === true ? [{ at, clear: clarity(part, said) ** 2 }] : [],
    )
    const sum = parts.reduce((all, { clear }) => all + clear, 0)
    const whole = mass.get(place) ?? 0
    const rest = slots.findIndex(
      ({ kind, part }) => part === undefined && kind === (place === 'history' ? 'reported' : place),
    )
    for (const { at, clear } of parts) {
      const moved = (whole * clear) / (sum + partAt ** 2)
      shares[at] = (shares[at] ?? 0) + moved
      shares[rest] = (shares[rest] ?? 0) - moved
    }
  }
  return shares
}

function ownShare({ kind }: Slot, mass: ReadonlyMap<Place, number>, isClinicians: boolean): number {
  const of = (place: Place): number => mass.get(place) ?? 0
  if (kind === 'reported') return of('reported') + of('history')
  if (kind === 'done') return of('done') * (isClinicians ? 1 : saidByOther)
  if (kind === 'response') return of('done') * (isClinicians ? saidByOther : 1)
  return kind === 'other' ? 0 : of(kind)
}

function clarity({ topics, words }: Part, said: Said): number {
  if (words !== undefined && !words.test(said.raw)) return 0
  // Where no topic says it, its words do.
  if (topics === undefined) return 0.8
  return Math.max(0, ...said.topics.flatMap((own) => topics.map((topic) => own[topic] ?? 0)))
}
