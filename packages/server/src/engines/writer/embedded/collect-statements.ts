import type { RiskReading } from './risk/assess-risk.js'
import { addClient } from './client/collect-client.js'
import { addClinician } from './clinician/collect-clinician.js'
import { findRolePlay } from './client/find-role-play.js'
import { startGathering } from './statement/gathering.js'
import type { NameHider } from './talk/hide-names.js'
import type { Session, Spoken } from './talk/read-session.js'
import { readVisitQuestion } from './plan/read-visit.js'
import { settlePlans } from './plan/settle-plan.js'
import type { Statement } from './statement/statement.js'
import { isChatter, isFigure, isMachineTalk, type Topic } from './talk/topics.js'

/** Everything of the session that could stand in a note, in the order in which it was said. */
export const collectStatements = (session: Session, risk: RiskReading, names: NameHider): Statement[] => {
  const gathering = startGathering(session, risk, names)
  const beginning = findBeginning(session)
  const rolePlay = findRolePlay(session)
  for (const spoken of session.sentences) {
    if (spoken.order < beginning && spoken.role !== 'clinician' && isBeforeTalk(spoken)) continue
    if (rolePlay.has(spoken.order) || risk.consumed.has(spoken.order)) continue
    if (isMachineTalk(spoken.said) || isFigure(spoken.said)) continue
    if (isChatter(spoken.said) || isPleasantry(spoken) || isScheduling(spoken)) continue
    if (spoken.role === 'clinician') addClinician(gathering, spoken)
    else addClient(gathering, spoken)
  }
  return settlePlans(gathering.statements, session)
}

/** "My kid's on the Xbox": nothing clinical, or the room in which somebody sits down to talk. */
const isBeforeTalk = ({ topics, clean, previous }: Spoken): boolean =>
  (topics.length === 0 && previous?.topics.includes('medication') !== true) ||
  /\b(?:xbox|playstation|tv|laptop|headphones|charger|speaker|bark\w*)\b/i.test(clean)

/** How far into a session the greetings may last, in sentences. */
const greetingsMax = 12

/** Where the talk about the client begins: with the first question that is no pleasantry, or with what was left open. */
const findBeginning = ({ sentences }: Session): number =>
  sentences
    .slice(0, greetingsMax)
    .find(
      ({ role, asks, clean }) =>
        role === 'clinician' && (asks || takesUp.test(clean)) && !isChatter(clean) && !pleasantry.test(clean),
    )?.order ?? 0

/** "So last time we had the goal at thirty days": what was left is taken up again. */
const takesUp = /\b(?:last (?:time|week|session|visit)|goals?|homework|where (?:are|were|did) we)\b/i

/** "I have to be at work by one, so eleven's good": the appointment says it. */
const isScheduling = ({ question }: Spoken): boolean =>
  question !== null && readVisitQuestion(question.clean) !== null

const pleasantry =
  /\b(?:your weekend|your trip|the trip|your holiday|the drive|traffic|the wait|find the (?:place|office)|found (?:the place|parking)|the forms|the new (?:place|apartment|house|car))\b/i

/** An answer to "How was your weekend?" that is about nothing clinical. */
const isPleasantry = ({ question, topics }: Spoken): boolean =>
  question !== null && pleasantry.test(question.clean) && topics.every((topic) => everydayTopics.has(topic))

const everydayTopics: ReadonlySet<Topic> = new Set([
  'relationship',
  'social',
  'stressor',
  'strength',
  'progress',
  'mood',
])
