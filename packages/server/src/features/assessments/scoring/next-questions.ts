import type { GivenAnswer, Instrument, Question } from '../instruments/instrument.js'
import { areMet, pointsOf, unknownOf } from './measure.js'

export interface Course {
  /** What is asked, as far as the answers so far decide it. */
  shown: readonly Question[]
  points: ReadonlyMap<string, number>
}

/** Walks the form in its order: a gate and a skip look at earlier questions only. */
export function followCourse(instrument: Instrument, answers: readonly GivenAnswer[]): Course {
  const values = new Map(answers.map(({ questionKey, answerValue }) => [questionKey, answerValue]))
  const points = new Map<string, number>()
  const shown: Question[] = []
  for (const question of instrument.questions) {
    if (areMet(question.onlyIf, points)) {
      shown.push(question)
      const value = values.get(question.key)
      if (value !== undefined) points.set(question.key, pointsOf(question, value))
      continue
    }
    const isDecided = question.onlyIf.every((condition) => unknownOf(condition, points).length === 0)
    if (isDecided) points.set(question.key, question.pointsIfSkipped)
  }
  return { shown, points }
}

/**
 * The questions to show, in order, given the answers so far: the answered ones and those that are certain to come. What
 * depends on an answer that is still missing is not among them yet; ask again after every answer.
 */
export const nextQuestions = (instrument: Instrument, answers: readonly GivenAnswer[]): readonly Question[] =>
  followCourse(instrument, answers).shown

/**
 * Without the answers to questions that an answer before them has closed, as when somebody went back and changed a gate.
 */
export function dropClosedAnswers<Answer extends GivenAnswer>(
  instrument: Instrument,
  answers: readonly Answer[],
): Answer[] {
  const open = new Set(nextQuestions(instrument, answers).map(({ key }) => key))
  return answers.filter(({ questionKey }) => open.has(questionKey))
}
