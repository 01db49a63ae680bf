import type { PageAssessment, PageQuestion } from '@casenote/contract'
import { followCourse } from './follow-course.js'

/** One question of one form, in the order in which the client meets them. */
export interface Stop {
  assessment: PageAssessment
  question: PageQuestion
  /** Chosen in this browser; null: not yet, or elsewhere. */
  value: number | null
  isAnswered: boolean
  /** Among all that may be asked, from 1: a number that no answer changes. */
  number: number
}

/** What this browser knows, by assignment and question. */
export type Values = ReadonlyMap<string, ReadonlyMap<string, number>>

const none: ReadonlyMap<string, number> = new Map()

/** All forms one after another, without what is not asked. */
export const listStops = (assessments: readonly PageAssessment[], values: Values): Stop[] =>
  assessments.flatMap((assessment, index) => {
    const own = values.get(assessment.assignmentId) ?? none
    const before = countQuestions(assessments.slice(0, index))
    return followCourse(assessment.questions, own).map((question) => ({
      number: before + assessment.questions.indexOf(question) + 1,
      assessment,
      question,
      value: own.get(question.key) ?? null,
      isAnswered: own.has(question.key) || question.isAnswered,
    }))
  })

/** Also of those that are asked only after certain answers: the course gets no longer while somebody is on it. */
export const countQuestions = (assessments: readonly PageAssessment[]): number =>
  assessments.reduce((total, { questions }) => total + questions.length, 0)

/** Where to go on; -1: everything is answered. */
export const firstOpen = (stops: readonly Stop[]): number => stops.findIndex(({ isAnswered }) => !isAnswered)

export const isAt = (stop: Stop, { assessment, question }: Pick<Stop, 'assessment' | 'question'>): boolean =>
  stop.assessment.assignmentId === assessment.assignmentId && stop.question.key === question.key

export function withValue(values: Values, { assessment, question }: Stop, value: number): Values {
  const own = new Map(values.get(assessment.assignmentId) ?? none).set(question.key, value)
  return new Map(values).set(assessment.assignmentId, own)
}

export const needsHelp = ({ question: { selfHarmFrom } }: Stop, value: number): boolean =>
  selfHarmFrom !== null && value >= selfHarmFrom
