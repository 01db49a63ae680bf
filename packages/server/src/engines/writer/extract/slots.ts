import { NOTE_TEMPLATES, type NoteType } from '@casenote/contract'
import { PLACES, type Place, type Topic } from '../../reader/reading.js'
import { RISK_SECTIONS } from '../risk-sections.js'
import type { Heading } from './line.js'
import type { Said } from './read-turns.js'

/** What kind of talk stands in a slot. */
type SlotKind =
  | 'reported'
  | 'medicines'
  | 'allergies'
  | 'danger'
  | 'observed'
  | 'judgement'
  | 'done'
  | 'response'
  | 'plan'
  | 'other'

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

/** Where a kind of sentence stands in each type of note (docs/clinical/note-types.md 1). */
interface Layout {
  reported: string
  /** Without a section of their own they stand with the reports. */
  medicines?: string
  allergies?: string
  observed: string
  judgement: string
  done: string
  response?: string
  parts?: Readonly<Record<string, Part>>
}

const told: readonly Place[] = ['reported', 'history']
const taken: readonly Place[] = ['reported', 'medicines']

/** Of a turn that is about a change, the sentences that tell it. */
const changesMedicine =
  /\b(?:mg|mgs|milligrams?|micrograms?|mcg|units?|doses?|tablets?|pills?|capsules?|patch|prescri\w+|refills?|medicines?|medications?|increas\w+|decreas\w+|rais(?:e|ing)|lower\w*|reduc\w+|taper\w*|stop (?:the|your|taking|it)|start (?:the|you|on|with|taking)|switch\w*|add (?:a|an|the|some|in)|go (?:up|down)|keep (?:you )?on|stay on)\b/i

const LAYOUTS: Readonly<Record<NoteType, Layout>> = {
  soap: { reported: 'subjective', observed: 'objective', judgement: 'assessment', done: 'assessment' },
  dap: { reported: 'data', observed: 'data', judgement: 'assessment', done: 'data' },
  birp: {
    reported: 'behavior',
    observed: 'behavior',
    judgement: 'response',
    done: 'intervention',
    response: 'response',
  },
  girp: {
    reported: 'response',
    observed: 'response',
    judgement: 'response',
    done: 'intervention',
    response: 'response',
    parts: { goal: { of: told, topics: ['goal'] } },
  },
  pirp: {
    reported: 'problem',
    observed: 'problem',
    judgement: 'response',
    done: 'intervention',
    response: 'response',
  },
  psychotherapy_intake: {
    reported: 'history_of_present_illness',
    medicines: 'medical_history',
    allergies: 'medical_history',
    observed: 'mental_status_exam',
    judgement: 'diagnostic_impression',
    done: 'plan',
    parts: {
      presenting_problem: { of: ['reported'], topics: ['presenting'] },
      substance_use_history: { of: told, topics: ['substance', 'substance_history'] },
      treatment_goals: { of: ['reported'], topics: ['goal'] },
      strengths_and_supports: { of: told, topics: ['strengths', 'protective'] },
      psychiatric_history: { of: ['history'], topics: ['psych_history'] },
      medical_history: { of: told, topics: ['medical'] },
      family_history: { of: told, topics: ['family_history'] },
      psychosocial_history: { of: told, topics: ['social_history'] },
      trauma_history: { of: ['history'], topics: ['trauma_history'] },
    },
  },
  psychiatric_evaluation: {
    reported: 'history_of_present_illness',
    medicines: 'current_medications',
    allergies: 'allergies',
    observed: 'mental_status_exam',
    judgement: 'assessment',
    done: 'plan',
    parts: {
      chief_complaint: { of: ['reported'], topics: ['presenting'] },
      substance_use_history: { of: told, topics: ['substance', 'substance_history'] },
      past_psychiatric_history: { of: ['history'], topics: ['psych_history'] },
      medical_history: { of: told, topics: ['medical'] },
      family_psychiatric_history: { of: told, topics: ['family_history'] },
      social_history: { of: told, topics: ['social_history'] },
      vitals_labs: { of: ['observed'], topics: ['scores'] },
    },
  },
  medication_management: {
    reported: 'interval_history',
    medicines: 'current_medications',
    allergies: 'current_medications',
    observed: 'mental_status_exam',
    judgement: 'assessment',
    done: 'plan',
    parts: {
      adherence: {
        of: taken,
        words: /\b(?:miss(?:ed|ing)?|forg[eo]t\w*|skip\w*|regularly|as prescribed|ran out|run out)\b/i,
      },
      response_to_medication: { of: taken, topics: ['med_response'] },
      side_effects: { of: taken, topics: ['side_effects'] },
      substance_use: { of: told, topics: ['substance', 'substance_history'] },
      vitals_labs: { of: ['observed'], topics: ['scores'] },
      medication_changes: { of: ['plan'], topics: ['med_change'], words: changesMedicine },
    },
  },
}

export const sectionKeys = (noteType: NoteType): string[] =>
  NOTE_TEMPLATES[noteType].sections.map(({ key }) => key)

/** Where decisions about medicines stand. */
export const changeSection = (noteType: NoteType): string =>
  LAYOUTS[noteType].parts?.medication_changes === undefined ? 'plan' : 'medication_changes'

export const reportSection = (noteType: NoteType): string => LAYOUTS[noteType].reported

export function listSlots(noteType: NoteType): Slot[] {
  const { reported, medicines, allergies, observed, judgement, done, response, parts } = LAYOUTS[noteType]
  const named = Object.entries(parts ?? {}).map(([section, part]): Slot => ({
    kind: part.of.includes('plan') ? 'plan' : part.of.includes('observed') ? 'observed' : 'reported',
    section,
    heading: null,
    part,
  }))
  return [
    { kind: 'danger', section: RISK_SECTIONS[noteType], heading: 'Danger' },
    { kind: 'reported', section: reported, heading: null },
    { kind: 'medicines', section: medicines ?? reported, heading: 'Medicines' },
    { kind: 'allergies', section: allergies ?? reported, heading: 'Allergies' },
    { kind: 'observed', section: observed, heading: null },
    { kind: 'judgement', section: judgement, heading: null },
    { kind: 'done', section: done, heading: 'Interventions' },
    { kind: 'response', section: response ?? reported, heading: null },
    { kind: 'plan', section: 'plan', heading: null },
    { kind: 'other', section: reported, heading: 'Other' },
    ...named,
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
