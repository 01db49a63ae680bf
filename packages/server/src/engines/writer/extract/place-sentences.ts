import { NOTE_TEMPLATES, type NoteType } from '@casenote/contract'
import { findAllMedications } from '../../lexicon/medications.js'
import type { MedicineStatus, Place, Reading, Topic } from '../../reader/reading.js'
import { readAnswer } from '../../text/read-answer.js'
import type { Heading } from './line.js'
import { asksForNo } from './name-danger.js'
import type { Said } from './read-turns.js'

/** Where a kind of sentence stands in each type of note (clinical sheet 1.1). */
interface Layout {
  reported: string
  /** Without a section of their own they stand with the reports. */
  medicines?: string
  allergies?: string
  observed: string
  judgement: string
  done: string
  response?: string
  changes?: string
  /** Sections of long notes, by topic of the item, for the places they are a part of. */
  topics?: Readonly<Partial<Record<TopicPlace, TopicSections>>>
}
type TopicPlace = 'reported' | 'history' | 'medicines' | 'observed'
type TopicSections = Readonly<Partial<Record<Topic, string>>>

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
    topics: { reported: { goal: 'goal' } },
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
    topics: {
      reported: {
        presenting: 'presenting_problem',
        substance: 'substance_use_history',
        goal: 'treatment_goals',
        strengths: 'strengths_and_supports',
      },
      history: {
        psych_history: 'psychiatric_history',
        medical: 'medical_history',
        substance_history: 'substance_use_history',
        substance: 'substance_use_history',
        family_history: 'family_history',
        social_history: 'psychosocial_history',
        trauma_history: 'trauma_history',
      },
    },
  },
  psychiatric_evaluation: {
    reported: 'history_of_present_illness',
    medicines: 'current_medications',
    allergies: 'allergies',
    observed: 'mental_status_exam',
    judgement: 'assessment',
    done: 'plan',
    topics: {
      reported: { presenting: 'chief_complaint', substance: 'substance_use_history' },
      history: {
        psych_history: 'past_psychiatric_history',
        medical: 'medical_history',
        substance_history: 'substance_use_history',
        substance: 'substance_use_history',
        family_history: 'family_psychiatric_history',
        social_history: 'social_history',
      },
      observed: { scores: 'vitals_labs' },
    },
  },
  medication_management: {
    reported: 'interval_history',
    medicines: 'current_medications',
    allergies: 'current_medications',
    observed: 'mental_status_exam',
    judgement: 'assessment',
    done: 'plan',
    changes: 'medication_changes',
    topics: {
      reported: { substance: 'substance_use', side_effects: 'side_effects' },
      history: { substance_history: 'substance_use' },
      medicines: { med_response: 'response_to_medication', side_effects: 'side_effects' },
      observed: { scores: 'vitals_labs' },
    },
  },
}

export const sectionKeys = (noteType: NoteType): string[] =>
  NOTE_TEMPLATES[noteType].sections.map(({ key }) => key)

export const changeSection = (noteType: NoteType): string => LAYOUTS[noteType].changes ?? 'plan'

/** Whether what people report stands there, and nothing that was seen, judged, done or planned. */
export function isReport(noteType: NoteType, section: string): boolean {
  const { reported, observed, judgement, done } = LAYOUTS[noteType]
  return (
    section === reported || ![observed, judgement, done, changeSection(noteType), 'plan'].includes(section)
  )
}

export interface Placed {
  section: string
  heading: Heading | null
}

/**
 * From these shares on a sentence stands under a heading that says something of it; a wrong place is worse than none. Measured
 * on sentences kept apart: what is rare in talk (measures, judgements, allergies) is right at lower shares than a plan, and what
 * was done in the session is wrong two times of three below its own.
 */
const sureAt: Readonly<Record<Place, number>> = {
  none: 1,
  question: 1,
  reported: 0.5,
  history: 0.5,
  medicines: 0.5,
  allergies: 0.4,
  danger: 0.7,
  observed: 0.5,
  judgement: 0.4,
  done: 0.65,
  plan: 0.55,
}
/** A client's plan is mostly what somebody else would do, or has done. */
const clientsPlanAt = 0.7
const askedPlanAt = 0.8
const otherWorthMin = 0.5
const topicSureAt = 0.6
/** What anybody can tell; the rest is the clinician's, and what was agreed. */
export const isToldPlace = (place: Place): boolean =>
  place === 'reported' ||
  place === 'history' ||
  place === 'medicines' ||
  place === 'allergies' ||
  place === 'danger'

/** Where a sentence stands with what it needs, or null: nowhere. */
export function placeSentence(
  said: Said,
  needed: readonly Said[],
  context: { noteType: NoteType; reading: Reading },
): Placed | null {
  if (isNothing(said)) return null
  const told = findWeightiest(said, needed)
  const placed = placeTold(told, needed, context)
  // What nobody is sure of has to be worth its place under Other.
  return placed?.heading === 'Other' && said.figures.worth < otherWorthMin ? null : placed
}

const shareOf = ({ figures }: Said, place: Place): number => figures.places[place] ?? 0

/** Greeting, chatter, or a question that says nothing by itself. */
export const isNothing = (said: Said): boolean =>
  said.place === 'none' ||
  said.place === 'question' ||
  shareOf(said, 'none') + shareOf(said, 'question') > 0.5

/** Where most of its words belong, the whole belongs: a line of the plan is no story with a step at its end. */
function findWeightiest(said: Said, needed: readonly Said[]): Said {
  // What the other said before is there to be understood, and a question too.
  const told = needed.filter(
    (one) => one === said || (one.speaker === said.speaker && !one.asks && !isNothing(one)),
  )
  const words = new Map<Place, number>()
  for (const one of told) words.set(one.place, (words.get(one.place) ?? 0) + one.words)
  const weight = (one: Said): number => (words.get(one.place) ?? 0) + (one.place === said.place ? 0.5 : 0)
  return told.reduce((best, one) => (weight(one) > weight(best) ? one : best), said)
}

function placeTold(
  said: Said,
  needed: readonly Said[],
  { noteType, reading }: { noteType: NoteType; reading: Reading },
): Placed | null {
  const layout = LAYOUTS[noteType]
  // What was asked and confirmed is the other's report.
  const isClinician = said.speaker === 'clinician' && !said.asks
  const reported: Placed = { section: layout.reported, heading: null }
  const least = said.place === 'plan' && !isClinician ? clientsPlanAt : sureAt[said.place]
  if (shareOf(said, said.place) < least)
    return isClinician || !isToldPlace(said.place) ? { section: layout.reported, heading: 'Other' } : reported
  const text = needed.map(({ raw }) => raw).join(' ')
  const byTopic = (place: TopicPlace): string | undefined => sectionByTopic(place, said, layout)
  switch (said.place) {
    case 'medicines':
      return placeMedicine(byTopic('medicines'), text, layout, reading)
    case 'allergies':
      return namesAllergy(text, reading)
        ? { section: layout.allergies ?? layout.reported, heading: 'Allergies' }
        : reported
    case 'observed':
      return isClinician ? { section: byTopic('observed') ?? layout.observed, heading: null } : reported
    case 'judgement':
      return isClinician ? { section: layout.judgement, heading: null } : reported
    case 'done':
      return isClinician
        ? { section: layout.done, heading: 'Interventions' }
        : { section: layout.response ?? layout.reported, heading: null }
    case 'plan':
      if (isRefused(needed)) return reported
      return { section: isChange(said) ? changeSection(noteType) : 'plan', heading: null }
    case 'reported':
    case 'history':
      // "Next Monday at eight?" "Monday eight.": agreed, as it seems, and no report.
      if (needed.some((one) => one.asks && shareOf(one, 'plan') >= askedPlanAt))
        return { section: layout.reported, heading: 'Other' }
      return { section: byTopic(said.place) ?? layout.reported, heading: null }
    default:
      return reported
  }
}

/** "Would you come to the group?" "No.": what they want, and nothing that comes next; a no to a no agrees. */
const isRefused = (needed: readonly Said[]): boolean => {
  const at = needed.findLastIndex(({ speaker }) => speaker === 'clinician')
  const answer = needed[at + 1]
  return answer !== undefined && readAnswer(answer.text) === 'no' && !asksForNo.test(needed[at]?.raw ?? '')
}

const namesAllergy = (text: string, { findings }: Reading): boolean =>
  /\ballerg|\bintoleran/i.test(text) ||
  findings.some((one) => one.kind === 'allergy' && has(text, one.substance))

export const has = (text: string, words: string): boolean => text.toLowerCase().includes(words.toLowerCase())

/** Under Medicines stands what names one; what was taken once, refused, or is another's not among those of now. */
function placeMedicine(
  section: string | undefined,
  text: string,
  { medicines, reported }: Layout,
  { findings }: Reading,
): Placed {
  if (section !== undefined) return { section, heading: null }
  const known = findings.filter(
    (one) => one.kind === 'medicine' && has(text, one.said) && has(text, one.words),
  )
  if (known.length === 0 && findAllMedications(text).length === 0) return { section: reported, heading: null }
  const isNow =
    known.length > 0 &&
    known.every((one) => one.kind === 'medicine' && one.whose === 'client' && !isOver.has(one.status))
  return medicines === undefined || isNow
    ? { section: medicines ?? reported, heading: 'Medicines' }
    : { section: reported, heading: null }
}

const isOver: ReadonlySet<MedicineStatus> = new Set<MedicineStatus>(['past', 'stopped', 'declined'])

const isChange = ({ topics }: Said): boolean =>
  topics.some(
    ({ med_change: change = 0, plan = 0, homework = 0 }) =>
      change >= topicSureAt && change >= plan && change >= homework,
  )

/** The section of the clearest topic of its items. A turn has many sentences: what is only among its topics is not clear. */
function sectionByTopic(
  place: TopicPlace,
  { topics }: Said,
  { topics: byPlace }: Layout,
): string | undefined {
  const scores = topics.flatMap((own) => Object.entries(own) as [Topic, number][])
  const [best] = scores.toSorted((a, b) => b[1] - a[1])
  return best !== undefined && best[1] >= topicSureAt ? byPlace?.[place]?.[best[0]] : undefined
}
