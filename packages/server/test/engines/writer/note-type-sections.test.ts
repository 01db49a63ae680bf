import { NOTE_TEMPLATES, NOTE_TYPES } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { findNearestSection } from '../../../src/engines/writer/embedded/edits/note-type-sections.js'

describe('the nearest section of another note type', () => {
  it('is one of its sections, for every section of every type; the same one where it has it', () => {
    for (const from of NOTE_TYPES) {
      for (const { key } of NOTE_TEMPLATES[from].sections) {
        for (const to of NOTE_TYPES) {
          const keys = NOTE_TEMPLATES[to].sections.map((section) => section.key)
          const nearest = findNearestSection(key, to)
          expect(keys).toContain(nearest)
          if (keys.includes(key)) expect(nearest).toBe(key)
        }
      }
    }
  })

  it.each([
    ['subjective', 'dap', 'data'],
    ['objective', 'dap', 'data'],
    ['data', 'soap', 'subjective'],
    ['behavior', 'soap', 'subjective'],
    ['intervention', 'soap', 'assessment'],
    ['intervention', 'dap', 'data'],
    ['response', 'dap', 'assessment'],
    ['goal', 'psychotherapy_intake', 'treatment_goals'],
    ['medication_changes', 'soap', 'plan'],
    ['side_effects', 'soap', 'subjective'],
    ['mental_status_exam', 'soap', 'objective'],
    ['risk_assessment', 'birp', 'behavior'],
    ['assessment', 'birp', 'response'],
    ['family_history', 'psychiatric_evaluation', 'family_psychiatric_history'],
    ['diagnoses', 'soap', 'assessment'],
  ] as const)('%s goes in %s to %s', (key, to, nearest) => {
    expect(findNearestSection(key, to)).toBe(nearest)
  })
})
