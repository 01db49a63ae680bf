import type { RiskElement } from '../talk/risk-words.js'
import { recent } from '../talk/risk-words.js'
import type { RiskFinding } from '../risk/risk-finding.js'
import { findCurrent, isAboutOther, isPast, type Mention, type Statement } from './read-statements.js'

/** What a session says of danger, about the client and about now. Negated, past and others' are not in it. */
export interface Dangers {
  ideation: Mention[]
  /** Thoughts of being dead without a wish to act. */
  passiveIdeation: Mention[]
  plan: Mention[]
  intent: Mention[]
  recentAttempt: Mention[]
  harmToOthers: Mention[]
  commandVoices: Mention[]
  unsafe: Mention[]
  withdrawal: Mention[]
  abuse: Mention[]
  /** What the clinician set in motion. */
  emergency: Mention[]
  hospital: Mention[]
  safetyPlan: Mention[]
  /** Asked or hinted at, and not clearly answered. */
  unclear: Mention[]
}

const command =
  /\bvoices? (?:(?:\w+ ){0,3})?(?:tell(?:s|ing)?|told|command(?:s|ing)?|say(?:s|ing)?|order(?:s|ing)?) (?:me|you)?.{0,20}(?:to |kill|hurt|jump|die|cut|should)|\bcommand hallucinations?\b/i
const theyCommand = /\b(?:they|it) (?:tell|tells|told|order|command)(?:ing)? me to\b/i
const unsafe =
  /\b(?:(?:can't|cannot|can not|don't think i can|not sure i can|not able to|couldn't) (?:keep (?:myself|yourself) safe|stay safe|be safe|promise)|(?:don't|do not|not) feel safe (?:with myself|at home|alone|going home|tonight|being alone))\b/i
const withdrawal =
  /\b(?:(?:alcohol|drug|opioid|benzo) withdrawal|withdrawal seizures?|seizure when i stop|delirium|shaking and (?:sweating|seeing)|i(?:'m| am) (?:drunk|high|intoxicated) (?:right )?now|came in (?:drunk|intoxicated))\b/i
const abuse =
  /\b(?:(?:he|she|they|my (?:husband|wife|partner|boyfriend|girlfriend|father|mother|dad|mom|son|daughter)) (?:\w+ ){0,2}(?:hit|hits|hitting|beat|beats|beating|choked|chokes|strangled|raped|punched|punches|threatened to kill) me)\b/i
const emergency =
  /\b(?:call(?:ing|ed)? (?:911|nine one one|an ambulance|the police|mobile crisis|the crisis (?:line|team))|mobile crisis|(?:go|going|send(?:ing)?|get|take|bring|walk) (?:you )?(?:straight |over |right )?to the (?:emergency (?:room|department)|ER|ED|crisis (?:center|unit))|(?:seen|evaluated|assessed) (?:at|in) the (?:emergency (?:room|department)|ER|ED)|involuntary|psychiatric hold|72[- ]hour hold|fifty[- ]one fifty|5150)\b/i
const hospital =
  /\b(?:hospitali[sz](?:e|ed|ing|ation)|inpatient|admit(?:ting)? you|admission|admitted|(?:in|to|into) the hospital|emergency (?:room|department))\b/i
const safetyPlan =
  /\b(?:(?:make|made|making|write|wrote|writing|put together|go(?:ing)? (?:over|through)|went (?:over|through)|create|update|updated|complete|completed|work on|build|do) (?:a|the|your|our|that|up a|up the) safety plan|safety plan (?:together|today|now|in place))\b/i

/** Danger to self and others is judged where the note judges it, in `assess-risk`; the rest is medical. */
export function findDangers(statements: readonly Statement[], findings: readonly RiskFinding[]): Dangers {
  // "When did you last think of it?" takes for given what nobody has said; it is for the clinician to look at.
  const plain = statements.map((one) => ({
    ...one,
    kind: one.kind === 'topic' ? ('unclear' as const) : one.kind,
  }))
  const present = (pattern: RegExp, of: readonly Statement[] = plain) =>
    of
      .map((statement) => findCurrent(statement, pattern))
      .filter((one) => one !== null)
      .filter(({ polarity }) => polarity === 'present')
  // A clinician's statement about danger is teaching or summing up; what counts is what the client says or answers.
  const clients = plain.filter(({ speaker, kind }) => speaker !== 'clinician' || kind !== 'stated')
  const endorsed = (element: RiskElement) =>
    findings.filter((finding) => finding.element === element && finding.state === 'endorsed')
  const ideation = endorsed('suicidal_ideation')
  return {
    ideation: ideation.filter(({ isPassive }) => !isPassive).map(toMention),
    passiveIdeation: ideation.filter(({ isPassive }) => isPassive).map(toMention),
    plan: endorsed('plan').map(toMention),
    intent: endorsed('intent').map(toMention),
    recentAttempt: findings.filter(isRecentAttempt).map(toMention),
    harmToOthers: endorsed('homicidal_ideation').map(toMention),
    commandVoices: [...present(command, clients), ...present(theyCommand, nearVoices(clients, plain))],
    unsafe: present(unsafe, clients),
    withdrawal: present(withdrawal, clients),
    abuse: findAbuse(clients),
    emergency: present(emergency, plain.filter(isDecided)),
    hospital: present(hospital, plain.filter(isDecided)).concat(weighedHospital(plain)),
    safetyPlan: present(safetyPlan, plain.filter(isClinicians)),
    unclear: findings.filter(({ state }) => state === 'unclear' || state === 'told').map(toMention),
  }
}

const isRecentAttempt = ({ element, state, said }: RiskFinding): boolean =>
  element === 'past_attempts' && (state === 'endorsed' || state === 'told') && recent.test(said)

const toMention = ({ statement, said, state }: RiskFinding): Mention => ({
  statement: { text: said, items: statement.items, speaker: 'client', kind: 'stated' },
  polarity: state === 'endorsed' ? 'present' : 'unclear',
  words: said,
})

const isClinicians = ({ speaker, kind }: Statement) => speaker !== 'client' && kind === 'stated'

/** "If it gets worse, go to the emergency room" is advice for everybody, and no decision. */
const isDecided = (statement: Statement) =>
  isClinicians(statement) &&
  !/\b(?:if|in case|whenever|unless|should (?:it|things|you))\b/i.test(statement.text)

const nearVoices = (clients: readonly Statement[], all: readonly Statement[]): Statement[] =>
  clients.filter((statement) => {
    const at = all.indexOf(statement)
    return all.slice(Math.max(0, at - 3), at + 1).some(({ text }) => /\bvoices?\b/i.test(text))
  })

/** The one who does it stands before it here, and is the other. */
const findAbuse = (clients: readonly Statement[]): Mention[] =>
  clients.flatMap((statement) => {
    const match = abuse.exec(statement.text)
    if (match === null || statement.kind !== 'stated' || isPast(statement.text)) return []
    return [{ statement, polarity: 'present', words: match[0] }]
  })

/** Weighing admission and deciding against it is a decision about it: "I don't think you need the hospital tonight". */
const weighedHospital = (statements: readonly Statement[]): Mention[] =>
  statements.filter(isClinicians).flatMap((statement) => {
    const match =
      /\b(?:don't think|do not think|not going to|no need|decided against|considered|instead of|rather than|thought about|avoid).{0,50}\b(?:hospital|inpatient|admission|admit|emergency room)/i.exec(
        statement.text,
      )
    if (match === null || isPast(statement.text) || isAboutOther(statement, match.index)) return []
    return [{ statement, polarity: 'present', words: match[0] }]
  })

export const isThreatToLife = (dangers: Dangers): boolean =>
  (dangers.ideation.length > 0 && (dangers.plan.length > 0 || dangers.intent.length > 0)) ||
  dangers.intent.length > 0 ||
  dangers.recentAttempt.length > 0 ||
  dangers.harmToOthers.length > 0 ||
  dangers.commandVoices.length > 0 ||
  dangers.unsafe.length > 0
