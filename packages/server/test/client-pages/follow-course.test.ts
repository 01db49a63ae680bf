import type { PageQuestion } from '@casenote/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { followCourse } from '../../../client-pages/src/follow-course.js'
import { makeBuiltInCatalogue, nextQuestions, type Instrument } from '../../src/features/assessments/index.js'

type Given = { questionKey: string; answerValue: number }

/** As the service tells it to a browser that has given some of the answers itself. */
const asPage = (instrument: Instrument, all: readonly Given[], own: readonly Given[]): PageQuestion[] => {
  const shown = new Set(nextQuestions(instrument, all).map(({ key }) => key))
  return instrument.questions.map((question) => ({
    key: question.key,
    leadIn: null,
    text: question.text,
    help: null,
    options: question.options.map(({ value, text }) => ({ value, text: text ?? '' })),
    onlyIf: [...question.onlyIf],
    isReversed: question.isReversed,
    pointsIfSkipped: question.pointsIfSkipped,
    selfHarmFrom: question.selfHarmFrom,
    answer: own.find(({ questionKey }) => questionKey === question.key)?.answerValue ?? null,
    isAnswered: all.some(({ questionKey }) => questionKey === question.key),
    isShown: shown.has(question.key),
  }))
}

const answersTo = (instrument: Instrument): fc.Arbitrary<Given[]> =>
  fc
    .tuple(
      ...instrument.questions.map(({ key, options }) =>
        fc.option(
          fc.constantFrom(...options.map(({ value }) => ({ questionKey: key, answerValue: value }))),
          { nil: null },
        ),
      ),
    )
    .map((given) => given.filter((one) => one !== null))

const valuesOf = (given: readonly Given[]) =>
  new Map(given.map(({ questionKey, answerValue }) => [questionKey, answerValue]))

describe('the page asks what the service asks', () => {
  for (const instrument of makeBuiltInCatalogue().list()) {
    it(`${instrument.id}, after answers that were given here or elsewhere`, () => {
      fc.assert(
        fc.property(answersTo(instrument), fc.boolean(), (all, isHere) => {
          const own = isHere ? all : []
          const asked = followCourse(asPage(instrument, all, own), valuesOf(own)).map(({ key }) => key)
          expect(asked).toEqual(nextQuestions(instrument, all).map(({ key }) => key))
        }),
        { numRuns: 50 },
      )
    })
  }
})
