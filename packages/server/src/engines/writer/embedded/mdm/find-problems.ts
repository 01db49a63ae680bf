import { readCourse, type Course } from './read-course.js'
import { PROBLEMS, type ProblemGroup, type ProblemNames } from './problem-lexicon.js'
import { findCurrent, unique, type Mention, type Statement } from './read-statements.js'

/** A problem that was spoken of as the client's own and as present. */
export interface Problem {
  group: ProblemGroup
  kind: ProblemNames['kind']
  /** As stated, or the symptom: never a diagnosis that nobody named. */
  name: string
  isDiagnosis: boolean
  mentions: readonly Mention[]
  course: Course
}

/** What is said within this many sentences of a mention is said about it. */
const reach = 2

export function findProblems(statements: readonly Statement[]): Problem[] {
  const named = PROBLEMS.map((names) => ({ names, ...findNamed(statements, names) })).filter(
    ({ mentions }) => mentions.length > 0,
  )
  const groupsAt = new Map<Statement, ProblemGroup[]>()
  for (const { names, mentions } of named) {
    for (const { statement } of mentions) {
      groupsAt.set(statement, [...(groupsAt.get(statement) ?? []), names.group])
    }
  }
  const problems = named.map(({ names, name, isDiagnosis, mentions }) => ({
    group: names.group,
    isDiagnosis,
    kind: names.kind,
    name,
    mentions,
    course: readCourse(listNear(statements, mentions, names.group, groupsAt)),
  }))
  return dropCovered(problems)
}

function findNamed(
  statements: readonly Statement[],
  names: ProblemNames,
): Pick<Problem, 'name' | 'isDiagnosis'> & { mentions: Mention[] } {
  const search = (pattern: RegExp) =>
    statements
      .map((statement) => findCurrent(statement, pattern))
      .filter((one) => one !== null)
      .filter((one) => one.polarity === 'present' && !isClinicians(one))
  const bySpeech = names.diagnoses.map(([pattern, name]) => ({
    name,
    mentions: [...search(pattern), ...findPresupposed(statements, pattern)],
  }))
  const diagnosis = bySpeech.find(({ mentions }) => mentions.length > 0)
  const symptoms = names.symptoms === null ? [] : search(names.symptoms)
  const mentions = [...bySpeech.flatMap((one) => one.mentions), ...symptoms]
  const once = mentions.filter(
    ({ statement }, at) => mentions.findIndex((other) => other.statement === statement) === at,
  )
  return { name: diagnosis?.name ?? names.symptomName, isDiagnosis: diagnosis !== undefined, mentions: once }
}

/** "And your own depression?", "Is the anxiety any better?": whatever the answer is, it is there. */
const findPresupposed = (statements: readonly Statement[], pattern: RegExp): Mention[] =>
  statements.flatMap((statement) => {
    const match =
      statement.speaker === 'client' || statement.kind === 'stated' ? null : pattern.exec(statement.text)
    const isGiven = match !== null && /\b(?:your|the)(?: own)? $/i.test(statement.text.slice(0, match.index))
    return isGiven ? [{ statement, polarity: 'present', words: match[0] }] : []
  })

/** "I'm worried about your level" is the clinician's worry. */
const isClinicians = ({ statement: { speaker, text }, words }: Mention) =>
  speaker === 'clinician' &&
  /\bI(?:'m|’m| am| feel| was)\b[^.?!]{0,12}$/.test(text.slice(0, text.indexOf(words)))

/** The sentences around the mentions, up to one that speaks of another problem only. */
function listNear(
  statements: readonly Statement[],
  mentions: readonly Mention[],
  group: ProblemGroup,
  groupsAt: ReadonlyMap<Statement, readonly ProblemGroup[]>,
): Statement[] {
  const near = new Set<Statement>()
  const isForeign = (statement: Statement) => {
    const groups = groupsAt.get(statement)
    return groups !== undefined && !groups.includes(group)
  }
  for (const { statement } of mentions) {
    const at = statements.indexOf(statement)
    near.add(statement)
    for (const step of [-1, 1]) {
      for (let index = at + step; Math.abs(index - at) <= reach; index += step) {
        const neighbour = statements[index]
        if (neighbour === undefined || isForeign(neighbour)) break
        near.add(neighbour)
      }
    }
  }
  return statements.filter((statement) => near.has(statement))
}

/**
 * A symptom that was only said together with another problem belongs to it, as the definitions have it. Stress and grief
 * are named beside everything; they are problems of their own only where nothing else is.
 */
function dropCovered(problems: readonly Problem[]): Problem[] {
  const psychiatric = problems.filter(({ kind }) => kind === 'psychiatric')
  const hasTrauma = psychiatric.some(({ group }) => group === 'trauma')
  const isNightmares = ({ group, mentions }: Problem) =>
    group === 'sleep' && mentions.every(({ words }) => /^nightmares?$/i.test(words))
  const isCovered = (problem: Problem) =>
    (hasTrauma && isNightmares(problem)) ||
    (!problem.isDiagnosis &&
      psychiatric.some(
        (other) =>
          other !== problem &&
          other.isDiagnosis &&
          problem.mentions.every(({ statement }) =>
            other.mentions.some((one) => one.statement === statement),
          ),
      ))
  return problems.filter((problem) =>
    problem.kind === 'situational' ? psychiatric.length === 0 : !isCovered(problem),
  )
}

export const evidenceOf = (...lists: readonly (readonly Mention[])[]): number[] =>
  unique(lists.flat().flatMap(({ statement }) => statement.items))
