import type { NoteType } from '@casenote/contract'
import { countWords } from '../../text/tokenize-words.js'
import { findComplaint } from './find-complaint.js'
import { partHistories } from './part-histories.js'
import { placeMedicines } from '../medicines/place-medicines.js'
import { placeStatement } from './place-statement.js'
import type { Session } from '../talk/read-session.js'
import type { Placed, Statement } from '../statement/statement.js'
import { complaintQuestion } from '../talk/topics.js'

/** Where the reason for coming stands, in the notes that ask for it. */
const complaintSections: Readonly<Partial<Record<NoteType, string>>> = {
  psychotherapy_intake: 'presenting_problem',
  psychiatric_evaluation: 'chief_complaint',
}

/** Every statement with the section in which it stands; sections that would seem empty get what is nearest to them. */
export const placeStatements = (
  noteType: NoteType,
  statements: readonly Statement[],
  session: Session,
  isBorneOut: (statement: Statement) => boolean,
): Placed[] => {
  const complaint = complaintSections[noteType]
  const each = partHistories(
    noteType,
    statements.map((statement) => placeStatement(noteType, statement)),
  )
  const placed = placeMedicines(noteType, each, session, isBorneOut)
  if (noteType === 'medication_management') return fillMedicationResponse(quoteMood(placed))
  if (complaint === undefined) return fillResponse(noticeResponse(noteType, placed))
  return placeComplaint(quoteMood(placed), session, complaint)
}

/** Mood is the client's own word (clinical sheet 1.3), and stands in the mental status of the notes that have one. */
const quoteMood = (placed: readonly Placed[]): Placed[] => {
  const said = placed.find(({ statement }) => moodTold.test(statement.text))
  const words = moodTold.exec(said?.statement.text ?? '')?.groups?.['words']
  if (said === undefined || words === undefined || countWords(words) > moodWordsMax) return [...placed]
  const statement: Statement = {
    ...said.statement,
    kind: 'observation',
    text: `mood: "${words}"`,
    bare: null,
  }
  const isAll = said.statement.text.endsWith(words)
  return [...placed.filter((entry) => !isAll || entry !== said), { section: 'mental_status_exam', statement }]
}

const moodTold = /^mood: (?<words>(?:(?!\b(?:they|their|them|themselves)\b)[^,;("])+)/

/** A mood is a word or a few. */
const moodWordsMax = 6

const placeComplaint = (placed: readonly Placed[], session: Session, complaint: string): Placed[] => {
  const first = findComplaint(placed, session)
  if (first.length === 0) return [...placed, ...quoteComplaint(session, complaint)]
  return placed.map((entry) =>
    first.includes(entry.statement.order)
      ? {
          section: complaint,
          statement: { ...entry.statement, isMandatory: entry.statement.order === first[0] },
        }
      : entry,
  )
}

/** How somebody fares between two visits about their medication is how they respond to it. */
const fillMedicationResponse = (placed: readonly Placed[]): Placed[] => {
  const section = 'response_to_medication'
  if (placed.some((entry) => entry.section === section)) return [...placed]
  const [best] = placed
    .filter(
      ({ section: at, statement: { kind, role, topics, text } }) =>
        at === 'interval_history' &&
        (kind === 'report' || kind === 'response') &&
        role !== 'clinician' &&
        (topics.includes('progress') || /\b(?:any ?more|back to|again|the same)\b/i.test(text)),
    )
    .toSorted((a, b) => b.statement.score - a.statement.score)
  return placed.map((entry) => (entry === best ? { ...entry, section } : entry))
}

/** What the clinician sees change once they have done something is how the client responds. */
const noticeResponse = (noteType: NoteType, placed: readonly Placed[]): Placed[] => {
  const first = placed.find(({ section }) => section === 'intervention')
  if (noteType !== 'birp' || first === undefined) return [...placed]
  return placed.map((entry) =>
    entry.statement.kind === 'observation' &&
    entry.statement.order > first.statement.order &&
    changes.test(entry.statement.text)
      ? { ...entry, section: 'response' }
      : entry,
  )
}

const changes =
  /\b(?:now|smil\w+|laugh\w*|dropped|came down|calmer|lighter|softer|stayed|relaxed|settled|by the end|closer)\b(?!.*\bcame in\b)/i

/** Where nothing was called a response, what the client said after the first intervention is the nearest to one. */
const fillResponse = (placed: readonly Placed[]): Placed[] => {
  const first = placed.find(({ section }) => section === 'intervention')
  if (first === undefined || placed.some(({ section }) => section === 'response')) return [...placed]
  const after = new Set(
    placed
      .filter(({ statement: { kind, order } }) => kind === 'report' && order > first.statement.order)
      .toSorted((a, b) => b.statement.score - a.statement.score)
      .slice(0, 2),
  )
  return placed.map((entry) => (after.has(entry) ? { ...entry, section: 'response' } : entry))
}

/** A chief complaint is best in the client's own words, if they cannot be put otherwise. */
const quoteComplaint = (session: Session, section: string): Placed[] => {
  const answer = session.sentences.filter(
    ({ question, role }) => question !== null && role === 'client' && complaintQuestion.test(question.clean),
  )
  const [first] = answer
  if (first === undefined) return []
  const said = answer.filter(({ item, clean }) => item === first.item && countWords(clean) > 0).slice(0, 3)
  const words = said
    .map((spoken) => spoken.said)
    .join(' ')
    .replace(/["“”]/g, '')
  if (said.length === 0 || countWords(words) > quoteWordsMax) return []
  const statement: Statement = {
    kind: 'report',
    order: first.order,
    items: [first.item],
    role: 'client',
    topics: [],
    asked: [],
    text: `client stated, "${words.replace(/[.!?…,;:]+$/, '')}"`,
    frame: null,
    bare: null,
    score: 6,
    isMandatory: true,
  }
  return [{ section, statement }]
}

/** As long as a quote may be (clinical style). */
const quoteWordsMax = 15
