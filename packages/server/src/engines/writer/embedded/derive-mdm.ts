import { setImmediate as nextTurn } from 'node:timers/promises'
import { isPrescriberNoteType, type MdmFindings } from '@casenote/contract'
import type { WritingRequest } from '../writer-engine.js'
import { assessRisk } from './risk/assess-risk.js'
import { makeNameHider } from './talk/hide-names.js'
import { listGroups } from './mdm/drug-groups.js'
import { findDangers, isThreatToLife } from './mdm/find-dangers.js'
import { findDrugDecisions, type DrugDecision } from './mdm/find-drug-decisions.js'
import { findProblems, type Problem } from './mdm/find-problems.js'
import { judgeProblem, judgeUnnamed } from './mdm/judge-problem.js'
import { judgeCrisis, judgeRisk } from './mdm/judge-risk.js'
import { readCourse } from './mdm/read-course.js'
import { readSession } from './talk/read-session.js'
import { listMedications, readStatements, type Mention, type Statement } from './mdm/read-statements.js'

/**
 * What was said that bears on medical decision making, after the AMA's definitions (2021, 2023). Each level names what it
 * rests on; what was not said is not filled in. A draft for the prescriber, not a code. Other work gets its turn between
 * the steps.
 */
export async function deriveMdm(
  { noteType, transcript }: WritingRequest,
  signal: AbortSignal,
): Promise<MdmFindings> {
  signal.throwIfAborted()
  if (!isPrescriberNoteType(noteType)) throw new Error('MDM elements are for prescriber note types')
  const statements = readStatements(transcript)
  await nextTurn()
  const problems = findProblems(statements)
  await nextTurn()
  const decisions = findDrugDecisions(statements)
  await nextTurn()
  const names = makeNameHider(transcript.map((item) => item.transcript))
  const dangers = findDangers(statements, assessRisk(readSession(transcript), names).findings)
  await nextTurn()
  const decisionsOf = assignDecisions(problems, decisions)
  const bearer = findBearer(problems)
  const judged = problems.map((problem) => {
    const own = decisionsOf.get(problem) ?? []
    const sideEffects = own.flatMap((decision) => findSideEffects(statements, decision))
    return judgeProblem(problem, { decisions: own, sideEffects, dangers, bearsDanger: problem === bearer })
  })
  const unnamed =
    bearer === undefined && isThreatToLife(dangers)
      ? [
          {
            problem: 'Danger to self or others',
            level: 'high' as const,
            rationale: 'Potential threat to self or others was stated in the session.',
            evidence: judgeCrisis(dangers).crisisInterventionEvidence,
          },
        ]
      : []
  const assigned = new Set([...decisionsOf.values()].flat())
  const untold = decisions
    .filter((decision) => decision.name !== null && !assigned.has(decision))
    .map((decision) => judgeUnnamed(decision, findSideEffects(statements, decision)))
  return {
    problemsAddressed: [...judged, ...untold, ...unnamed],
    riskOfComplications: judgeRisk(statements, { problems, decisions, dangers }),
    ...judgeCrisis(dangers),
  }
}

/** What is said within this many sentences of a drug is said about it. */
const reach = 3

/** Said near the drug itself: the problem that it is for need not be named there. */
function findSideEffects(statements: readonly Statement[], { medication }: DrugDecision): Mention[] {
  if (medication === null) return []
  const isNamed = (statement: Statement) =>
    listMedications(statement).some((mention) => mention.medication === medication)
  const near = statements.filter((_, at) =>
    statements.slice(Math.max(0, at - reach), at + reach + 1).some(isNamed),
  )
  return readCourse(near).sideEffects
}

/** Each decision to one problem: to that which was said with it, else to the nearest that the drug is given for. */
function assignDecisions(
  problems: readonly Problem[],
  decisions: readonly DrugDecision[],
): Map<Problem, DrugDecision[]> {
  const assigned = new Map<Problem, DrugDecision[]>()
  for (const decision of decisions) {
    const groups = decision.medication === null ? [] : listGroups(decision.medication)
    const fitting = groups.flatMap((group) => problems.filter((problem) => problem.group === group))
    const said = fitting.find(({ mentions }) =>
      mentions.some(({ statement }) => statement.items.some((item) => decision.items.includes(item))),
    )
    const isOther = decision.medication?.medicationClass === 'common_medical'
    const problem =
      said ?? fitting[0] ?? (isOther ? undefined : problems.find(({ kind }) => kind === 'psychiatric'))
    if (problem !== undefined) assigned.set(problem, [...(assigned.get(problem) ?? []), decision])
  }
  return assigned
}

/** Danger belongs to one problem, the first of those that carry it: counted twice it would make two high problems. */
function findBearer(problems: readonly Problem[]): Problem | undefined {
  const order: readonly Problem['group'][] = [
    'depression',
    'bipolar',
    'psychosis',
    'trauma',
    'panic',
    'anxiety',
    'alcohol',
  ]
  return order
    .map((group) => problems.find((problem) => problem.group === group))
    .find((one) => one !== undefined)
}
