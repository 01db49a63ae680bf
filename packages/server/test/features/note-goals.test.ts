import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dropEmptyWordings,
  linkKey,
  uniteGoals,
  type NoteGoal,
} from '../../src/features/progress-notes/note-goals.js'

const link = fc.record({
  section: fc.constantFrom('data', 'plan'),
  sentence: fc.constantFrom('A.', 'B.', 'C.'),
})
const goal: fc.Arbitrary<NoteGoal> = fc.record({
  goalId: fc.constantFrom('goal-1', 'goal-2', 'own'),
  treatmentPlanId: fc.constantFrom(null, 'plan-1', 'plan-2'),
  text: fc.constantFrom('Sleep', 'Return to work'),
  sentences: fc.array(link, { maxLength: 4 }),
})
const goals = fc.array(goal, { maxLength: 8 })

const nameOf = ({ goalId, treatmentPlanId, text }: NoteGoal): string =>
  JSON.stringify([goalId, treatmentPlanId, text])
const linksOf = (some: readonly NoteGoal[]): string[] =>
  [...new Set(some.flatMap((one) => one.sentences.map((at) => `${nameOf(one)} ${linkKey(at)}`)))].toSorted()

describe('the goals of two versions of a note', () => {
  it('are each there once, as plan, id and words tell them apart, and every link stays with its own', () => {
    fc.assert(
      fc.property(goals, goals, (first, second) => {
        const united = uniteGoals(first, second)
        const both = [...first, ...second]
        expect(united.map(nameOf)).toEqual([...new Set(both.map(nameOf))])
        expect(linksOf(united)).toEqual(linksOf(both))
        expect(
          united.every(({ sentences }) => new Set(sentences.map(linkKey)).size === sentences.length),
        ).toBe(true)
      }),
    )
  })

  it('lose no link and no id where a wording goes that nothing speaks to', () => {
    const idOf = ({ goalId, treatmentPlanId }: NoteGoal): string => JSON.stringify([goalId, treatmentPlanId])
    fc.assert(
      fc.property(goals, goals, (first, second) => {
        const united = uniteGoals(first, second)
        const left = dropEmptyWordings(united)
        expect(linksOf(left)).toEqual(linksOf(united))
        expect(new Set(left.map(idOf))).toEqual(new Set(united.map(idOf)))
        const silent = left.filter(({ sentences }) => sentences.length === 0).map(idOf)
        for (const id of silent) expect(left.map(idOf).filter((one) => one === id)).toHaveLength(1)
      }),
    )
  })
})
