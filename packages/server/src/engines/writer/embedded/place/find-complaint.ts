import type { Session } from '../talk/read-session.js'
import { leavesPersonOpen } from '../talk/resolve-pronoun.js'
import type { Placed, Statement } from '../statement/statement.js'
import { complaintQuestion, type Topic } from '../talk/topics.js'

/** What is said of medicines or substances has a section of its own, which would then seem empty. */
const complaintSources = new Set([
  'history_of_present_illness',
  'social_history',
  'psychosocial_history',
  'psychiatric_review_of_systems',
])

/** What people come for. "My wife made the appointment" says that somebody did, and not why. */
const complaints: ReadonlySet<Topic> = new Set([
  'mood',
  'anxiety',
  'panic',
  'sleep',
  'appetite',
  'focus',
  'mania',
  'psychosis',
  'trauma',
  'function',
])

const complains = ({ topics, asked }: Statement): boolean =>
  topics.some((topic) => complaints.has(topic) && !asked.includes(topic))

/** How many turns further an answer may come to the point: "That's a long story." – "Start anywhere you like." */
const reach = 2

/** What the client answered when asked why they came, or else what they said first: by order, the weightiest first. */
export const findComplaint = (placed: readonly Placed[], session: Session): number[] => {
  const reports = placed
    .filter(
      ({ section, statement }) =>
        statement.kind === 'report' && statement.role !== 'clinician' && complaintSources.has(section),
    )
    .map(({ statement }) => statement)
  const asked = session.sentences.find(
    ({ question }) => question !== null && complaintQuestion.test(question.clean),
  )?.item
  const within = (items: number): Statement[] =>
    asked === undefined
      ? reports
      : reports.filter((statement) => statement.items.some((item) => item >= asked && item <= asked + items))
  const told = within(0)
  if (told.length === 0 && asked !== undefined) return []
  const named = told.filter(({ text }) => !leavesPersonOpen(text) && !/^(?:they said|saying)\b/.test(text))
  const answers = named.length > 0 ? named : told
  const best =
    answers.slice(0, 3).find(complains) ?? (asked === undefined ? undefined : within(reach).find(complains))
  const [first, second] = answers
  const chosen = best === undefined ? [first, second] : [best, first === best ? second : first]
  return chosen.flatMap((statement) => (statement === undefined ? [] : [statement.order]))
}
