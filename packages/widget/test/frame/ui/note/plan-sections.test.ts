import type { ProgressNote } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { toPlainText, withoutPlan } from '../../../../src/frame/ui/note/plan-sections.js'

describe('what is copied', () => {
  const sections = [
    { key: 'subjective', title: 'Subjective', content: 'Slept well. ' },
    { key: 'objective', title: 'Objective', content: ' ' },
    { key: 'plan', title: 'Plan', content: 'Walk.' },
  ]

  const section = (key: string, ...holds: ProgressNote['template']['sections'][number]['holds']) => ({
    key,
    title: key,
    holds,
  })
  const ours = {
    sections: [section('subjective', 'reported'), section('objective'), section('plan', 'plan')],
  }

  it('has titles and texts, without empty sections', () => {
    expect(toPlainText(withoutPlan(sections, ours, false))).toBe('Subjective\nSlept well.\n\nPlan\nWalk.')
  })

  it('leaves out the plan where the page keeps it', () => {
    expect(toPlainText(withoutPlan(sections, ours, true))).toBe('Subjective\nSlept well.')
  })

  it('goes by what the sections of an own template hold, and not by what they are called', () => {
    const own = {
      sections: [
        section('what_we_said', 'reported', 'danger'),
        section('next_steps', 'plan', 'done'),
        section('aims', 'treatment_goals'),
        section('view_and_steps', 'judgement', 'plan'),
        section('plan', 'observed'),
      ],
    }
    const keysLeft = withoutPlan(own.sections, own, true).map(({ key }) => key)
    expect(keysLeft).toEqual(['what_we_said', 'view_and_steps', 'plan'])
    expect(withoutPlan(own.sections, own, false)).toHaveLength(5)
  })

  it('goes by the names of ours in a section of another template, as an older version has it', () => {
    const own = { sections: [section('next_steps', 'plan')] }
    const left = withoutPlan([{ key: 'next_steps' }, { key: 'plan' }, { key: 'data' }], own, true)
    expect(left.map(({ key }) => key)).toEqual(['data'])
  })
})
