import type { NoteType } from './notes.js'

export interface TemplateSection {
  key: string
  title: string
}

export interface NoteTemplate {
  title: string
  sections: readonly TemplateSection[]
}

/** A key is its title in snake case, unless the title says otherwise. */
const section = (key: string, title = toTitle(key)): TemplateSection => ({ key, title })

const toTitle = (key: string): string =>
  key
    .split('_')
    .map((word) => (smallWords.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ')

const smallWords = new Set(['of', 'and', 'to'])

const sections = (...keys: string[]): TemplateSection[] => keys.map((key) => section(key))

/** The sections of each note type, in the order in which they are written and read. */
export const NOTE_TEMPLATES: Readonly<Record<NoteType, NoteTemplate>> = {
  soap: { title: 'SOAP Note', sections: sections('subjective', 'objective', 'assessment', 'plan') },
  dap: { title: 'DAP Note', sections: sections('data', 'assessment', 'plan') },
  birp: { title: 'BIRP Note', sections: sections('behavior', 'intervention', 'response', 'plan') },
  girp: { title: 'GIRP Note', sections: sections('goal', 'intervention', 'response', 'plan') },
  pirp: { title: 'PIRP Note', sections: sections('problem', 'intervention', 'response', 'plan') },
  psychotherapy_intake: {
    title: 'Psychotherapy Intake',
    sections: sections(
      'presenting_problem',
      'history_of_present_illness',
      'psychiatric_history',
      'medical_history',
      'substance_use_history',
      'family_history',
      'psychosocial_history',
      'trauma_history',
      'mental_status_exam',
      'risk_assessment',
      'strengths_and_supports',
      'diagnostic_impression',
      'treatment_goals',
      'plan',
    ),
  },
  psychiatric_evaluation: {
    title: 'Psychiatric Evaluation',
    sections: [
      ...sections(
        'chief_complaint',
        'history_of_present_illness',
        'psychiatric_review_of_systems',
        'past_psychiatric_history',
        'substance_use_history',
        'medical_history',
        'current_medications',
        'allergies',
        'family_psychiatric_history',
        'social_history',
      ),
      section('vitals_labs', 'Vitals and Labs'),
      ...sections('mental_status_exam', 'risk_assessment', 'assessment', 'diagnoses', 'plan'),
    ],
  },
  medication_management: {
    title: 'Medication Management',
    sections: [
      ...sections(
        'interval_history',
        'current_medications',
        'adherence',
        'response_to_medication',
        'side_effects',
        'substance_use',
      ),
      section('vitals_labs', 'Vitals and Labs'),
      ...sections('mental_status_exam', 'risk_assessment', 'assessment', 'medication_changes', 'plan'),
    ],
  },
}
