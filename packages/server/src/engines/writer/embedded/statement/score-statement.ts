import { findNumbers } from '../../text/find-numbers.js'
import { countWords, tokenizeWords } from '../../text/tokenize-words.js'
import { observation, technique } from '../talk/clinician-patterns.js'
import type { Session } from '../talk/read-session.js'
import { leavesPersonOpen } from '../talk/resolve-pronoun.js'
import type { Statement, StatementKind } from './statement.js'
import { findTopics, type Topic } from '../talk/topics.js'

/** Weighed by how often what is said belongs in the note of written sessions: numbers, named techniques and plans do. */
const kindWorth: Readonly<Record<StatementKind, number>> = {
  risk: 6,
  order: 6,
  plan: 5,
  observation: 4.5,
  measure: 5,
  assessment: 4.5,
  goal: 4.5,
  intervention: 2.8,
  response: 3,
  intent: 1,
  report: 1.5,
}

const topicWorth: Partial<Record<Topic, number>> = {
  medication: 4,
  side_effect: 5,
  allergy: 5,
  adherence: 3,
  psychosis: 4,
  mania: 3.5,
  panic: 3.5,
  mood: 3,
  anxiety: 3,
  sleep: 3,
  appetite: 2.5,
  focus: 3,
  function: 3,
  substance: 4,
  trauma: 4,
  family_history: 4,
  psychiatric_history: 4,
  medical: 3.5,
  vitals: 4,
  goal: 3,
  strength: 2.5,
  social: 2,
  relationship: 1.5,
  stressor: 2,
  progress: 2,
  telehealth: 2,
  medication_response: 1,
}

/** Without one of these there is no number; looking is cheaper than reading. */
const mayCount =
  /\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|once|twice|half|dozen)\b/i

/** Salience: what it is about, how exact it is, where it stands. Long sentences must earn their length. */
export const scoreStatement = (statement: Statement, said: string, session: Session): Statement => {
  const topics = statement.topics.map((topic) => topicWorth[topic] ?? 0).toSorted((a, b) => b - a)
  const exact = mayCount.test(said) && findNumbers(tokenizeWords(said)).length > 0 ? 3.5 : 0
  const when = /\b(?:since|for|every|week|month|day|night|year|ago|times|hours|minutes|last|morning)\b/i.test(
    said,
  )
    ? 0.5
    : 0
  const early =
    statement.role !== 'clinician' && topics.length > 0 && statement.order < session.sentences.length * 0.15
      ? 1
      : 0
  const length = Math.max(countWords(statement.text) - 22, 0) * 0.12
  const seen = statement.kind === 'observation' ? (said.match(new RegExp(observation, 'gi')) ?? []).length : 0
  const isIntervention = statement.kind === 'intervention'
  const unnamed = isIntervention && !technique.test(said) && !/\bproposed\b/.test(statement.text) ? 1.2 : 0
  const named = isIntervention && technique.test(said) ? 2.5 : 0
  const visit = /\bnext (?:appointment|session)|same time\b/i.test(statement.text) ? 2 : 0
  const share = isIntervention ? 0.3 : exact === 0 && isBesideQuestion(statement) ? besideShare(statement) : 1
  const worth = kindWorth[statement.kind] + ((topics[0] ?? 0) + (topics[1] ?? 0) * 0.4) * share
  // What was asked for is what the clinician wants to know.
  const asked = statement.asked.length > 0 ? 1 : 0
  const score =
    worth +
    named +
    exact +
    when +
    early +
    seen +
    visit +
    homework(statement) +
    asked -
    unnamed -
    length -
    anecdote(statement) -
    outing(statement) -
    openPerson(statement) +
    belief(statement)
  const isDose =
    statement.topics.includes('medication') &&
    /\b(?:milligrams?|mg|micrograms?|dose)\b/i.test(said) &&
    exact > 0
  const isSafety = isSafetyStep(statement) || (statement.kind === 'risk' && weapon.test(statement.text))
  const isMandatory = statement.isMandatory || statement.kind === 'order' || isDose || isSafety
  return { ...statement, score, isMandatory }
}

/** A whole sentence within an answer that is about nothing by itself: "I love her", asked whether anything is enjoyed. */
const isBesideQuestion = ({ kind, frame, asked, text }: Statement): boolean =>
  kind === 'report' && frame !== null && asked.length > 0 && findTopics(text).length === 0

/** What a client is to do until the next time, and whom the clinician will turn to. */
const homework = ({ kind, text }: Statement): number =>
  kind === 'plan' &&
  /\bclient to |^(?:clinician (?:will|plans to)|plan to) (?:call|send|write|email|ask|speak|talk|coordinate|reach out|refer)\b/.test(
    text,
  )
    ? 1
    : 0

/** Asked where they are, people tell of doors and headphones. */
const besideShare = ({ asked }: Statement): number =>
  asked.every((topic) => topic === 'telehealth') ? 0.2 : 0.75

/** What somebody believes of themselves, asked for it: "that they are a bad daughter". */
const belief = ({ role, text }: Statement): number =>
  role !== 'clinician' && /^asked what\b.* that (?:they|it|nobody|everyone|a) /.test(text) ? 2.5 : 0

/** "We took the kids to the lake and it was nice": a good day, unless it is about more. */
const outing = ({ kind, role, text }: Statement): number =>
  (kind === 'report' || kind === 'response') &&
  role !== 'clinician' &&
  /\b(?:it|that) was (?:really |so |actually |pretty )*(?:nice|fun|lovely|good|great|fine|beautiful)\b/i.test(
    text,
  ) &&
  findTopics(text).every((topic) => topic === 'relationship' || topic === 'social')
    ? 2
    : 0

/** Of whom it is would have to be looked up. */
const openPerson = ({ kind, topics, text }: Statement): number =>
  kind === 'report' && !topics.includes('trauma') && leavesPersonOpen(text) ? 2 : 0

/** What others say and do, where nothing clinical is in it (clinical sheet 2.2: dropped). */
const anecdote = ({ kind, role, text, asked }: Statement): number =>
  kind === 'report' &&
  role !== 'clinician' &&
  !asked.includes('family_history') &&
  /^their (?:mom|mother|dad|father|sister|brother|wife|husband|girlfriend|boyfriend|friend|boss|manager|coworker|cousin|roommate|aunt|uncle|neighbor) (?:says|said|was|is|thinks|thought|asked|asks|did|does|made|makes|drove|bought|rolled|laughed|looked)\b/.test(
    text,
  ) &&
  findTopics(text).every((topic) => topic === 'relationship' || topic === 'social')
    ? 2
    : 0

const safety = /\b(?:988|safety plan|crisis (?:line|plan)|emergency (?:room|department)|hotline)\b/i

const weapon = /\b(?:guns?|firearms?|rifles?|shotguns?|pistols?|handguns?)\b/i

/** A step of a safety plan, the way to the means among them (clinical sheet 1.4). */
export const isSafetyStep = ({ role, kind, text }: Statement): boolean =>
  role === 'clinician' && (safety.test(text) || (kind === 'plan' && weapon.test(text)))
