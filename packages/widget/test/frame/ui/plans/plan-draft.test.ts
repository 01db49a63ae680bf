import { describe, expect, it } from 'vitest'
import {
  addObjective,
  changeObjective,
  draftGoal,
  draftPlan,
  toGiven,
  type Goal,
  type ObjectiveDraft,
} from '../../../../src/frame/ui/plans/plan-draft.js'

const goal: Goal = {
  id: 'g',
  text: 'Sleep through',
  status: 'open',
  targetDate: '2027-03-01',
  objectives: [
    { id: 'a', text: 'Keep a\n diary', targetDate: '2027-01-10' },
    { id: 'b', text: 'No screens', targetDate: null },
  ],
  interventions: ['CBT-I'],
}
const [first, second] = goal.objectives

const give = (change: (rows: readonly ObjectiveDraft[]) => readonly ObjectiveDraft[]) => {
  const draft = draftGoal(goal)
  const changed = { ...draft, objectives: [...change(draft.objectives)] }
  return toGiven(draftPlan(null), [changed], null).goals[0]?.objectives
}

describe('the objectives of a goal, a row each', () => {
  it('stay as they were where nothing is typed, with their breaks', () => {
    expect(give((rows) => rows)).toEqual(goal.objectives)
  })

  it('keep their id and day when they are worded anew, and only then', () => {
    expect(give((rows) => changeObjective(rows, 0, { text: 'Keep a sleep diary ' }))).toEqual([
      { ...first, text: 'Keep a sleep diary' },
      second,
    ])
    const emptied = (rows: readonly ObjectiveDraft[]) => changeObjective(rows, 0, { text: ' ' })
    expect(give(emptied)).toEqual([second])
    expect(give((rows) => changeObjective(emptied(rows), 0, { text: 'Walk' }))).toEqual([
      { id: null, text: 'Walk', targetDate: null },
      second,
    ])
  })

  it('are new where a row was added, also in place of one that was removed', () => {
    const replaced = give((rows) => {
      const added = addObjective(rows, 0)
      const key = added[1]?.key ?? -1
      return changeObjective(added, key, { text: 'Walk' }).filter((row) => row.key !== 0)
    })
    expect(replaced).toEqual([{ id: null, text: 'Walk', targetDate: null }, second])
    expect(addObjective([], -1)).toEqual([{ key: 0, known: null, text: '', targetDate: '' }])
  })

  it('have their day set and taken away', () => {
    expect(
      give((rows) =>
        changeObjective(changeObjective(rows, 0, { targetDate: '' }), 1, { targetDate: '2027-02-02' }),
      ),
    ).toEqual([
      { ...first, targetDate: null },
      { ...second, targetDate: '2027-02-02' },
    ])
  })
})
