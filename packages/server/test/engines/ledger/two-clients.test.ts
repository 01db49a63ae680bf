import { describe, expect, it } from 'vitest'
import { compareNote } from '../../../src/engines/ledger/compare-note.js'
import { section, talk } from '../checker/talk.js'
import { danger } from './findings.js'

describe('two clients in one room', () => {
  const transcript = talk(`
    clinician: Any thoughts of suicide, either of you?
    speaker_2: No, never.
    clinician: And you?
    speaker_3: Some nights I think about killing myself.
  `)
  const denied = danger({ id: 'no', items: [0, 1], words: 'No, never.', standing: 'denied', questionItem: 0 })
  const affirmed = danger({ id: 'yes', items: [2, 3], words: 'Some nights I think about killing myself.' })
  const listed = (sentence: string, transcriptItems: number[]): string[] =>
    compareNote({
      sections: [section({ sentence, transcriptItems })],
      findings: [denied, affirmed],
      transcript,
    }).review.map(({ id }) => id)

  it('the denial of one does not state what the other said', () => {
    expect(listed('One partner denies suicidal ideation when asked.', [0, 1])).toContain('yes')
    expect(listed('Client denies suicidal ideation when asked.', [0, 1])).toContain('yes')
  })

  it('what one affirms does not state that the other denied it', () => {
    expect(listed('Client reports thinking about killing themselves some nights.', [2, 3])).toContain('no')
  })
})
