import { describe, expect, it } from 'vitest'
import { compareNote } from '../../../src/engines/ledger/compare-note.js'
import { danger } from './findings.js'

/** What becomes of an answer about self-harm in a note of this text. */
const stateIn = (content: string): string | undefined =>
  compareNote({
    sections: [{ key: 'subjective', title: 'Subjective', content, evidence: [] }],
    findings: [danger({ foundBy: 'answer', element: 'unspecified', items: [], words: 'Several days' })],
    transcript: [],
  }).entries[0]?.state

describe('an answer about self-harm in a questionnaire', () => {
  it.each([
    'Client reports passive suicidal ideation on the PHQ-9.',
    'Client endorses thoughts of being better off dead on several days.',
    'Sleep is poor. Client reports thoughts of hurting themself.',
    'Asked about suicidal thoughts; the response was unclear.',
  ])('is stated by: %s', (content) => expect(stateIn(content)).toBe('stated'))

  it.each([
    'Client denies suicidal ideation.',
    'Client has a history of suicidal ideation in 2014.',
    'Client grieves for a brother who died by suicide.',
    'PHQ-9 total was 14.',
    'Client is dead tired after work.',
    '',
  ])('is not stated by: %s', (content) => expect(stateIn(content)).toBe('not_written'))
})
