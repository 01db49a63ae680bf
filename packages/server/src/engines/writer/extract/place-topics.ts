import { NOTE_TEMPLATES, type NoteType } from '@casenote/contract'
import type { Topic } from '../../reader/reading.js'

/** Where a topic stands, by note type (clinical sheet 1.1). What is not named stands in the first section. */
type Places = Readonly<Record<string, readonly Topic[]>>

const planTopics = ['med_change', 'safety_plan', 'homework', 'plan'] as const

const places: Readonly<Record<NoteType, Places>> = {
  soap: {
    objective: ['observation', 'scores'],
    assessment: ['impression', 'intervention'],
    plan: planTopics,
  },
  dap: { assessment: ['impression'], plan: planTopics },
  birp: {
    intervention: ['intervention'],
    response: ['response', 'impression', 'progress'],
    plan: planTopics,
  },
  girp: {
    goal: ['goal'],
    intervention: ['intervention'],
    response: [
      'presenting',
      'symptoms',
      'sleep',
      'appetite',
      'functioning',
      'thoughts',
      'progress',
      'substance',
      'medication',
      'med_response',
      'side_effects',
      'medical',
      'allergies',
      'psych_history',
      'substance_history',
      'family_history',
      'social_history',
      'trauma_history',
      'risk_self',
      'risk_others',
      'abuse',
      'psychosis',
      'protective',
      'strengths',
      'observation',
      'scores',
      'impression',
      'response',
    ],
    plan: planTopics,
  },
  pirp: {
    intervention: ['intervention'],
    response: ['response', 'impression', 'progress'],
    plan: planTopics,
  },
  psychotherapy_intake: {
    presenting_problem: ['presenting'],
    history_of_present_illness: [
      'symptoms',
      'sleep',
      'appetite',
      'functioning',
      'thoughts',
      'progress',
      'response',
      'psychosis',
      'risk_self',
      'risk_others',
    ],
    psychiatric_history: ['psych_history'],
    medical_history: ['medical', 'medication', 'med_response', 'side_effects', 'allergies', 'scores'],
    substance_use_history: ['substance', 'substance_history'],
    family_history: ['family_history'],
    psychosocial_history: ['social_history'],
    trauma_history: ['trauma_history', 'abuse'],
    mental_status_exam: ['observation'],
    risk_assessment: ['protective'],
    strengths_and_supports: ['strengths'],
    diagnostic_impression: ['impression'],
    treatment_goals: ['goal'],
    plan: [...planTopics, 'intervention'],
  },
  psychiatric_evaluation: {
    chief_complaint: ['presenting'],
    history_of_present_illness: [
      'functioning',
      'thoughts',
      'progress',
      'response',
      'goal',
      'risk_self',
      'risk_others',
      'symptoms',
      'sleep',
      'appetite',
      'psychosis',
      'abuse',
    ],
    past_psychiatric_history: ['psych_history'],
    substance_use_history: ['substance', 'substance_history'],
    medical_history: ['medical'],
    current_medications: ['medication', 'med_response', 'side_effects'],
    allergies: ['allergies'],
    family_psychiatric_history: ['family_history'],
    social_history: ['social_history', 'trauma_history', 'strengths'],
    vitals_labs: ['scores'],
    mental_status_exam: ['observation'],
    risk_assessment: ['protective'],
    assessment: ['impression'],
    plan: [...planTopics, 'intervention'],
  },
  medication_management: {
    interval_history: [
      'presenting',
      'symptoms',
      'sleep',
      'appetite',
      'functioning',
      'thoughts',
      'progress',
      'medical',
      'psych_history',
      'family_history',
      'social_history',
      'trauma_history',
      'abuse',
      'psychosis',
      'risk_self',
      'risk_others',
      'response',
      'goal',
      'strengths',
      'allergies',
    ],
    current_medications: ['medication'],
    response_to_medication: ['med_response'],
    side_effects: ['side_effects'],
    substance_use: ['substance', 'substance_history'],
    vitals_labs: ['scores'],
    mental_status_exam: ['observation'],
    risk_assessment: ['protective'],
    assessment: ['impression'],
    medication_changes: ['med_change'],
    plan: ['homework', 'plan', 'safety_plan', 'intervention'],
  },
}

const sectionOfTopic = new Map<NoteType, ReadonlyMap<Topic, string>>(
  Object.entries(places).map(([noteType, byKey]) => [
    noteType as NoteType,
    new Map(Object.entries(byKey).flatMap(([key, topics]) => topics.map((topic) => [topic, key] as const))),
  ]),
)

export const sectionKeys = (noteType: NoteType): string[] =>
  NOTE_TEMPLATES[noteType].sections.map(({ key }) => key)

export const firstSection = (noteType: NoteType): string => sectionKeys(noteType)[0] ?? ''

export const findSection = (noteType: NoteType, topic: Topic): string =>
  sectionOfTopic.get(noteType)?.get(topic) ?? firstSection(noteType)

/** The first of these that the note has. */
const pick = (noteType: NoteType, ...keys: string[]): string => {
  const own = sectionKeys(noteType)
  return keys.find((key) => own.includes(key)) ?? own[0] ?? ''
}

export const medicineSection = (noteType: NoteType): string =>
  noteType === 'girp'
    ? 'response'
    : pick(noteType, 'current_medications', 'medical_history', 'subjective', 'data')

export const medicineChangeSection = (noteType: NoteType): string =>
  pick(noteType, 'medication_changes', 'plan')

export const allergySection = (noteType: NoteType): string =>
  noteType === 'girp'
    ? 'response'
    : pick(noteType, 'allergies', 'medical_history', 'current_medications', 'subjective', 'data')

export const scoreSection = (noteType: NoteType): string => findSection(noteType, 'scores')

/** Sections that hold what the clinician saw, thought or did: nothing that anybody else said stands there. */
export const CLINICIAN_SECTIONS: ReadonlySet<string> = new Set([
  'objective',
  'mental_status_exam',
  'intervention',
  'diagnostic_impression',
  'diagnoses',
])
/** Of these, only where the topic is the clinician's: danger stands in an assessment too. */
export const isCliniciansTopic = (topic: Topic): boolean =>
  topic === 'observation' || topic === 'impression' || topic === 'intervention'
