import type { MdmFindings } from '@casenote/contract'
import { isThreatToLife, type Dangers } from './find-dangers.js'
import type { DrugDecision } from './find-drug-decisions.js'
import { evidenceOf, type Problem } from './find-problems.js'
import type { Mention } from './read-statements.js'
import { unique } from './read-statements.js'

type JudgedProblem = MdmFindings['problemsAddressed'][number]

export interface Circumstances {
  /** Those that are about this problem. */
  decisions: readonly DrugDecision[]
  /** Of the drugs that were decided about. */
  sideEffects: readonly Mention[]
  dangers: Dangers
  /** Whether the danger that was spoken of belongs to this problem. */
  bearsDanger: boolean
}

/** Problems to which a danger to life belongs. */
const carriesDanger = new Set(['depression', 'bipolar', 'psychosis', 'trauma', 'panic', 'anxiety', 'alcohol'])

/** A drug was decided about, and nobody said what it is for: that is told, and nothing is guessed. */
export function judgeUnnamed(decision: DrugDecision, sideEffects: readonly Mention[]): JudgedProblem {
  const isRaised = ['start', 'increase', 'switch'].includes(decision.action)
  const isModerate = isRaised || sideEffects.length > 0
  const reason = isRaised
    ? 'Treatment was started or intensified'
    : isModerate
      ? `Side effects of treatment were reported (${quote(sideEffects)})`
      : 'Treatment was continued or reduced'
  return {
    problem: `Condition treated with ${decision.name ?? 'medication'}`,
    level: isModerate ? 'moderate' : 'low',
    rationale: `${reason}; ${describeDecision(decision)}; the condition was not named in the session.`,
    evidence: unique([...decision.items, ...evidenceOf(sideEffects)]),
  }
}

/** The level of one problem by its complexity alone; drugs decide the risk of the encounter, not this. */
export function judgeProblem(problem: Problem, circumstances: Circumstances): JudgedProblem {
  const { course, kind, name, mentions } = problem
  const { decisions } = circumstances
  const [level, reason, grounds] = decideLevel(problem, circumstances)
  const drugs = decisions.map(describeDecision)
  const evidence = unique([
    ...evidenceOf(mentions.slice(0, evidenceMax), grounds.slice(0, evidenceMax)),
    ...decisions.flatMap(({ items }) => items),
  ])
  const told = level === 'na' && kind === 'medical' ? [] : drugs
  const ordered = course.ordered.length > 0 && level !== 'na' ? ['tests were ordered or checked'] : []
  return { problem: name, level, rationale: `${[reason, ...told, ...ordered].join('; ')}.`, evidence }
}

/** Enough to find the place; a problem that is spoken of all the time would list the whole transcript. */
const evidenceMax = 6

type Decided = readonly [JudgedProblem['level'], string, readonly Mention[]]

function decideLevel(
  { course, kind, group }: Problem,
  { decisions, dangers, bearsDanger, sideEffects }: Circumstances,
): Decided {
  if (kind === 'medical' && decisions.length === 0) {
    return course.elsewhere.length > 0
      ? [
          'na',
          'Mentioned as followed by another clinician; not evaluated or treated in this session',
          course.elsewhere,
        ]
      : ['na', 'Mentioned; not evaluated or treated in this session', []]
  }
  const threat = [
    ...dangers.ideation,
    ...dangers.plan,
    ...dangers.intent,
    ...dangers.recentAttempt,
    ...dangers.unsafe,
    ...dangers.harmToOthers,
    ...dangers.commandVoices,
  ]
  if (bearsDanger && carriesDanger.has(group) && isThreatToLife(dangers)) {
    return ['high', 'Potential threat to self or others was stated in the session', threat]
  }
  if (bearsDanger && dangers.hospital.length > 0) {
    return ['high', 'Escalation to hospital-level care was weighed', dangers.hospital]
  }
  if (isSevere(group, course))
    return ['high', 'Severe exacerbation, or signs of drug toxicity, as stated', course.severe]
  const effects = decisions.length > 0 ? [...course.sideEffects, ...sideEffects] : []
  if (effects.length > 0) {
    return ['moderate', `Side effects of treatment were reported (${quote(effects)})`, effects]
  }
  if (course.scores.length > 0)
    return ['moderate', `Not at goal by the stated score (${quote(course.scores)})`, course.scores]
  if (course.worse.length > 0) {
    return ['moderate', `Not at goal or worse, as stated (${quote(course.worse)})`, course.worse]
  }
  const raised = decisions.find(
    ({ action }) => action === 'start' || action === 'increase' || action === 'switch',
  )
  if (raised !== undefined) return ['moderate', 'Treatment was started or intensified, so not at goal', []]
  if (course.isNew.length > 0)
    return [
      'moderate',
      `New problem with uncertain prognosis, as stated (${quote(course.isNew)})`,
      course.isNew,
    ]
  if (kind === 'situational') return ['minimal', 'Situational, without stated impairment or treatment', []]
  if (course.better.length > 0)
    return ['low', `Stable or improved, as stated (${quote(course.better)})`, course.better]
  return ['low', 'Discussed; no worsening, side effects or impairment was stated', []]
}

function isSevere(group: Problem['group'], course: Course): boolean {
  return course.severe.length > 0 && ['bipolar', 'psychosis', 'depression', 'alcohol'].includes(group)
}
type Course = Problem['course']

const quote = (mentions: readonly Mention[]) => `“${(mentions[0]?.words ?? '').trim().toLowerCase()}”`

/** With the words that were said: a dose is never worked out. */
export function describeDecision({ name, action, dose }: DrugDecision): string {
  const drug = name ?? 'medication'
  const [at, to] = dose === null ? ['', ''] : [` at ${dose}`, ` to ${dose}`]
  switch (action) {
    case 'start':
      return `${drug} started${at}`
    case 'continue':
      return `${drug} continued${at}`
    case 'switch':
      return `switched to ${drug}${at}`
    case 'stop':
      return `${drug} stopped`
    case 'increase':
      return `${drug} increased${to}`
    case 'decrease':
      return `${drug} decreased${to}`
    default:
      return `${drug} changed${to}`
  }
}
