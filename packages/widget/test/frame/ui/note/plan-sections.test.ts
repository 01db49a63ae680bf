import { describe, expect, it } from 'vitest'
import { toPlainText, withoutPlan } from '../../../../src/frame/ui/note/plan-sections.js'

describe('what is copied', () => {
  const sections = [
    { key: 'subjective', title: 'Subjective', content: 'Slept well. ' },
    { key: 'objective', title: 'Objective', content: ' ' },
    { key: 'plan', title: 'Plan', content: 'Walk.' },
  ]

  it('has titles and texts, without empty sections', () => {
    expect(toPlainText(withoutPlan(sections, false))).toBe('Subjective\nSlept well.\n\nPlan\nWalk.')
  })

  it('leaves out the plan where the page keeps it', () => {
    expect(toPlainText(withoutPlan(sections, true))).toBe('Subjective\nSlept well.')
  })
})
