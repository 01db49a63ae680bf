import type { NoteType } from '@casenote/contract'
import { findMedications } from '../../../lexicon/medications.js'
import { findNumbers } from '../../text/find-numbers.js'
import { tokenizeWords } from '../../text/tokenize-words.js'
import { styleStatement } from '../set/style-statement.js'
import type { Statement, StatementKind } from '../statement/statement.js'
import { familyIllness, findTopics, type Topic } from '../talk/topics.js'

/** Where each kind of statement stands in the notes of psychotherapy (clinical sheet 1.1). */
const byKind: Readonly<Partial<Record<NoteType, Readonly<Record<StatementKind, string>>>>> = {
  soap: {
    report: 'subjective',
    response: 'assessment',
    intent: 'plan',
    intervention: 'assessment',
    plan: 'plan',
    order: 'plan',
    observation: 'objective',
    measure: 'objective',
    assessment: 'assessment',
    goal: 'assessment',
    risk: 'assessment',
  },
  dap: {
    report: 'data',
    response: 'data',
    intent: 'plan',
    intervention: 'data',
    plan: 'plan',
    order: 'plan',
    observation: 'data',
    measure: 'data',
    assessment: 'assessment',
    goal: 'assessment',
    risk: 'assessment',
  },
  birp: {
    report: 'behavior',
    response: 'response',
    intent: 'plan',
    intervention: 'intervention',
    plan: 'plan',
    order: 'plan',
    observation: 'behavior',
    measure: 'behavior',
    assessment: 'response',
    goal: 'response',
    risk: 'behavior',
  },
  girp: {
    report: 'response',
    response: 'response',
    intent: 'plan',
    intervention: 'intervention',
    plan: 'plan',
    order: 'plan',
    observation: 'response',
    measure: 'response',
    assessment: 'response',
    goal: 'goal',
    risk: 'response',
  },
  pirp: {
    report: 'problem',
    response: 'response',
    intent: 'plan',
    intervention: 'intervention',
    plan: 'plan',
    order: 'plan',
    observation: 'response',
    measure: 'problem',
    assessment: 'response',
    goal: 'response',
    risk: 'problem',
  },
}

type Placement = readonly (readonly [section: string, topics: readonly Topic[]])[]

/** For the longer notes the topic decides; the first line that fits wins. */
const byTopic: Readonly<
  Partial<
    Record<NoteType, { topics: Placement; otherwise: string; kinds: Partial<Record<StatementKind, string>> }>
  >
> = {
  psychotherapy_intake: {
    topics: [
      ['psychiatric_history', ['psychiatric_history']],
      ['medical_history', ['allergy', 'side_effect', 'adherence', 'vitals']],
      ['family_history', ['family_history']],
      ['trauma_history', ['trauma']],
      ['substance_use_history', ['substance']],
      ['medical_history', ['medication', 'medical']],
      ['strengths_and_supports', ['strength']],
      [
        'history_of_present_illness',
        ['mood', 'anxiety', 'panic', 'sleep', 'appetite', 'focus', 'mania', 'psychosis', 'function'],
      ],
      ['psychosocial_history', ['social', 'relationship', 'stressor', 'telehealth']],
    ],
    otherwise: 'history_of_present_illness',
    kinds: {
      risk: 'risk_assessment',
      observation: 'mental_status_exam',
      measure: 'medical_history',
      assessment: 'diagnostic_impression',
      goal: 'treatment_goals',
      intervention: 'plan',
      plan: 'plan',
      order: 'plan',
      intent: 'plan',
    },
  },
  psychiatric_evaluation: {
    topics: [
      ['allergies', ['allergy']],
      ['past_psychiatric_history', ['psychiatric_history']],
      ['family_psychiatric_history', ['family_history']],
      ['substance_use_history', ['substance']],
      ['current_medications', ['medication', 'side_effect', 'adherence']],
      ['vitals_labs', ['vitals']],
      ['medical_history', ['medical']],
      [
        'history_of_present_illness',
        [
          'psychosis',
          'mood',
          'anxiety',
          'panic',
          'sleep',
          'appetite',
          'focus',
          'mania',
          'function',
          'trauma',
        ],
      ],
      ['social_history', ['social', 'relationship', 'stressor', 'strength', 'telehealth']],
    ],
    otherwise: 'history_of_present_illness',
    kinds: {
      risk: 'risk_assessment',
      observation: 'mental_status_exam',
      measure: 'vitals_labs',
      assessment: 'assessment',
      goal: 'plan',
      intervention: 'plan',
      plan: 'plan',
      order: 'plan',
      intent: 'plan',
    },
  },
  medication_management: {
    topics: [
      ['side_effects', ['side_effect']],
      ['substance_use', ['substance']],
      ['adherence', ['adherence']],
      ['current_medications', ['medication']],
      ['vitals_labs', ['vitals']],
    ],
    otherwise: 'interval_history',
    kinds: {
      risk: 'risk_assessment',
      observation: 'mental_status_exam',
      measure: 'vitals_labs',
      assessment: 'assessment',
      goal: 'plan',
      intervention: 'plan',
      plan: 'plan',
      order: 'medication_changes',
      intent: 'plan',
    },
  },
}

const diagnosis =
  /\b(?:disorder|episode|diagnos\w+|schizo\w+|postpartum|major depress\w+|post.?traumatic|ptsd|adhd|ocd|gad|mdd|bipolar (?:one|two|i|ii|1|2)|criteria)\b/i

/** Half of all questions touch on these, whatever they ask. */
const vagueTopics: ReadonlySet<Topic> = new Set([
  'relationship',
  'stressor',
  'progress',
  'function',
  'medication_response',
])

/** What a sentence is about whatever was asked. */
const plainTopics: ReadonlySet<Topic> = new Set(['allergy', 'trauma', 'substance', 'family_history'])

/** Where the talk was when something plainer was said. */
const looseSections = new Set([
  'psychosocial_history',
  'social_history',
  'history_of_present_illness',
  'interval_history',
])

/** Headings under which an answer needs no question. */
const tellingHeadings = new Set([
  'allergies',
  'current_medications',
  'side_effects',
  'substance_use',
  'substance_use_history',
  'adherence',
  'medical_history',
  'family_history',
  'family_psychiatric_history',
  'strengths_and_supports',
  'treatment_goals',
  'psychiatric_history',
  'past_psychiatric_history',
])

/** "A tiny bit": of what stands in the question, and in no heading. */
const leavesEffectOpen =
  / reported (?:it|that|this|these|they are|a (?:little|bit|tiny)|some|only|still|maybe|not|every)\b/i

/** The statement as it stands in its section: under a heading that says what was asked, the question is left out. */
export const placeStatement = (
  noteType: NoteType,
  statement: Statement,
): { section: string; statement: Statement } => {
  const section = findSection(noteType, statement)
  const isUnderItsHeading =
    statement.bare !== null &&
    !(section === 'side_effects' && leavesEffectOpen.test(statement.bare)) &&
    (byTopic[noteType]?.topics.some(
      ([key, topics]) =>
        key === section &&
        tellingHeadings.has(key) &&
        topics.some((topic) => statement.asked.includes(topic)),
    ) ??
      false)
  const placed = isUnderItsHeading ? { ...statement, text: statement.bare ?? statement.text } : statement
  return { section, statement: styleStatement(section, placed) }
}

const isMedicationResponse = ({ kind, role, topics, asked }: Statement): boolean =>
  (kind === 'report' || kind === 'response') &&
  role !== 'clinician' &&
  !topics.includes('side_effect') &&
  (topics.includes('medication') || asked.includes('medication')) &&
  !topics.includes('adherence') &&
  (topics.includes('medication_response') || topics.includes('progress'))

const pastSections: Readonly<Partial<Record<NoteType, string>>> = {
  psychotherapy_intake: 'psychiatric_history',
  psychiatric_evaluation: 'past_psychiatric_history',
}

/** What was taken once: "before that they were on Paxil", "Haldol made them stiff". */
const isPastMedicine = ({ topics, asked, text }: Statement): boolean =>
  topics.includes('medication') &&
  // Asked what somebody uses, they tell of pills that were not prescribed.
  !asked.includes('substance') &&
  findMedications(text).some(({ medication }) => medication.medicationClass !== 'common_medical') &&
  (asked.includes('psychiatric_history') ||
    /\b(?:used to|in (?:college|grad school|high school)|before (?:that|this)|(?:was|were) on|made them|quit|stopped|took|tried|years ago|got \w+ on|getting \w+ on)\b/i.test(
      text,
    )) &&
  !/\b(?:now|currently|still|every (?:day|night|morning))\b/i.test(text)

/** The review of systems is asked for, one by one. */
const isSystemsReview = ({ kind, asked, text }: Statement): boolean =>
  kind === 'report' &&
  asked.some((topic) => topic === 'psychosis' || topic === 'mania' || topic === 'panic') &&
  /^(?:client (?:denied|endorsed)|asked whether|they (?:do|have) not (?:hear|heard|see|seen|have|had|get|feel|felt)\b|not )/i.test(
    text,
  )

/** Said when medicines were asked about, and about none: nothing for their list. */
const isBesideMedication = ({ kind, topics, asked, text }: Statement): boolean =>
  kind === 'report' &&
  asked.includes('medication') &&
  topics.every((topic) => !['side_effect', 'adherence', 'substance', 'vitals', 'allergy'].includes(topic)) &&
  findMedications(text).length === 0 &&
  findNumbers(tokenizeWords(text)).length === 0 &&
  !/\b(?:tak(?:e|es|ing)|dose|pills?|medic\w+|meds|prescri\w+|mornings?|bedtime)\b/i.test(text)

const familySections: Readonly<Partial<Record<NoteType, string>>> = {
  psychotherapy_intake: 'family_history',
  psychiatric_evaluation: 'family_psychiatric_history',
}

/** "Their mom used (heroin)": an illness of one's own family, whatever was asked. */
const isIllnessOfFamily = ({ kind, text }: Statement): boolean =>
  kind === 'report' &&
  /^(?:(?:their|his|her) |on (?:his|her|their) side |and )*(?:mom|mother|dad|father|parents|brother|sister|uncle|aunt|cousin|grand\w+)\b(?!'s (?:house|place))/i.test(
    text,
  ) &&
  familyIllness.test(text)

/** "I'm going to cry": what is seen in the room, whoever says it. */
const isSeen = ({ text }: Statement): boolean => /^(?:client|a participant) noted .+ in session$/.test(text)

const isSupport = ({ kind, isMandatory, asked }: Statement): boolean =>
  kind === 'risk' && !isMandatory && asked.includes('strength')

/** The section in which a statement stands. */
const findSection = (noteType: NoteType, statement: Statement): string => {
  // Numbers to call are a step of the plan, however they were brought up.
  if (statement.role === 'clinician' && /\b(?:988|crisis line)\b/i.test(statement.text)) return 'plan'
  const kinds = byKind[noteType]
  if (kinds !== undefined) return kinds[statement.kind]
  const placement = byTopic[noteType]
  if (placement === undefined) return ''
  if (
    noteType === 'psychiatric_evaluation' &&
    statement.kind === 'assessment' &&
    diagnosis.test(statement.text)
  )
    return 'diagnoses'
  const family = familySections[noteType]
  if (family !== undefined && isIllnessOfFamily(statement)) return family
  if (noteType === 'medication_management' && isMedicationResponse(statement)) return 'response_to_medication'
  if (noteType === 'medication_management' && isBesideMedication(statement)) return 'interval_history'
  if (statement.kind === 'report' && isPastMedicine(statement)) {
    const history = pastSections[noteType]
    if (history !== undefined) return history
  }
  if (noteType === 'psychiatric_evaluation' && isSystemsReview(statement))
    return 'psychiatric_review_of_systems'
  const isTaking =
    (statement.topics.includes('medication') &&
      /\b(?:tak(?:e|es|ing)|is on|are on|being on)\b/i.test(statement.text)) ||
    /\b(?:all|only thing|everything) (?:that )?they (?:take|are taking|are on)\b/i.test(statement.text)
  if (
    noteType === 'psychiatric_evaluation' &&
    statement.kind === 'report' &&
    isTaking &&
    !statement.asked.includes('family_history') &&
    !statement.topics.includes('psychiatric_history')
  )
    return 'current_medications'
  // "Who is on your side?" is asked after danger, and is about those who are.
  if (noteType === 'psychotherapy_intake' && isSupport(statement)) return 'strengths_and_supports'
  const fixed = placement.kinds[isSeen(statement) ? 'observation' : statement.kind]
  if (fixed !== undefined) return fixed
  const find = (about: readonly Topic[]): string | undefined =>
    placement.topics.find(([, topics]) => topics.some((topic) => about.includes(topic)))?.[0]
  // "Medical problems, allergies?" – "I have asthma.": of the things asked, the one that is spoken of.
  const own = findTopics(statement.text)
  const ofSeveral = find(statement.asked.filter((topic) => !vagueTopics.has(topic) && own.includes(topic)))
  if (statement.asked.includes('allergy') && ofSeveral !== undefined) return ofSeveral
  const byWords = find(statement.topics.filter((topic) => plainTopics.has(topic)))
  const byQuestion = find(statement.asked.filter((topic) => !vagueTopics.has(topic)))
  if (byWords !== undefined && byQuestion !== undefined && looseSections.has(byQuestion)) return byWords
  // Medicines are asked about in many ways; what is told of them says more.
  return (
    (byQuestion === 'current_medications' ? undefined : byQuestion) ??
    find(statement.topics) ??
    placement.otherwise
  )
}
