import type { RiskReading } from './assess-risk.js'
import { addClient } from './collect-client.js'
import { addClinician } from './collect-clinician.js'
import { startGathering } from './gathering.js'
import type { NameHider } from './hide-names.js'
import type { Session, Spoken } from './read-session.js'
import { readVisitQuestion } from './read-visit.js'
import type { Statement } from './statement.js'
import { isChatter, isFigure, isMachineTalk, type Topic } from './topics.js'

/** Everything of the session that could stand in a note, in the order in which it was said. */
export const collectStatements = (session: Session, risk: RiskReading, names: NameHider): Statement[] => {
  const gathering = startGathering(session, risk, names)
  for (const spoken of session.sentences) {
    if (risk.consumed.has(spoken.order) || isMachineTalk(spoken.said) || isFigure(spoken.said)) continue
    if (isChatter(spoken.said) || isPleasantry(spoken) || isScheduling(spoken)) continue
    if (spoken.role === 'clinician') addClinician(gathering, spoken)
    else addClient(gathering, spoken)
  }
  return gathering.statements
}

/** "I have to be at work by one, so eleven's good": the appointment says it. */
const isScheduling = ({ question }: Spoken): boolean =>
  question !== null && readVisitQuestion(question.clean) !== null

/** An answer to "How was your weekend?" that is about nothing clinical. */
const isPleasantry = ({ question, topics }: Spoken): boolean =>
  question !== null &&
  /\b(?:your weekend|your trip|the trip|your holiday|the drive|traffic)\b/i.test(question.clean) &&
  topics.every((topic) => everydayTopics.has(topic))

const everydayTopics: ReadonlySet<Topic> = new Set([
  'relationship',
  'social',
  'stressor',
  'strength',
  'progress',
])
