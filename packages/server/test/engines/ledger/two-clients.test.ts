import { describe, expect, it } from 'vitest'
import { compareNote } from '../../../src/engines/ledger/compare-note.js'
import { checkSentence } from '../../../src/engines/checker/check-sentence.js'
import { readTalk } from '../../../src/engines/checker/read-talk.js'
import { readingOf, section, talk } from '../checker/talk.js'
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

  it('the list says who of them spoke, and only where there are two', () => {
    const review = (given: typeof transcript) =>
      compareNote({ sections: [], findings: [denied, affirmed], transcript: given }).review.map(
        ({ id, speaker }) => [id, speaker],
      )
    expect(review(transcript)).toEqual([
      ['no', 'speaker_2'],
      ['yes', 'speaker_3'],
    ])
    const alone = transcript.map((item) => ({
      ...item,
      speaker: item.speaker === 'clinician' ? 'clinician' : 'client',
    }))
    expect(review(alone)).toEqual([
      ['no', undefined],
      ['yes', undefined],
    ])
  })

  it('a denial of one states no denial of the other, a denial of both states both', () => {
    const other = danger({
      id: 'other',
      items: [2, 3],
      words: 'Some nights I think about killing myself.',
      standing: 'denied',
    })
    const open = (sentence: string, transcriptItems: number[]): string[] =>
      compareNote({
        sections: [section({ sentence, transcriptItems })],
        findings: [denied, other],
        transcript,
      }).review.map(({ id }) => id)
    expect(open('Client denies suicidal ideation when asked.', [0, 1])).toEqual(['other'])
    expect(open('Both partners deny suicidal ideation when asked.', [0, 1])).not.toContain('no')
    expect(open('Client denies suicidal ideation.', [])).toEqual(['no', 'other'])
  })

  it('what one denies is no contradiction of what the other affirms', () => {
    const { entries } = compareNote({
      sections: [
        section({ sentence: 'Client denies suicidal ideation when asked.', transcriptItems: [0, 1] }),
      ],
      findings: [affirmed],
      transcript,
    })
    expect(entries[0]?.state).toBe('not_written')
  })

  it('the no of one bears out no denial that rests on the words of the other', () => {
    const lines = talk(`
      clinician: Any thoughts of suicide, either of you?
      speaker_2: No, never.
      clinician: How is work for you?
      speaker_3: It is long.
    `)
    const check = (items: number[]) =>
      checkSentence(
        { text: 'Client denies suicidal ideation.', transcriptItems: items },
        readTalk([...lines, ...lines.slice(2), ...lines.slice(2), ...lines.slice(2)]),
        readingOf(denied),
      )?.reason ?? null
    expect(check([0, 1])).toBeNull()
    expect(check([8, 9])).toBe('denial')
  })

  it('what one says of the other is told by a sentence that rests on either', () => {
    const told = danger({ id: 'told', items: [1], words: 'She talks of suicide at night.' })
    const { review } = compareNote({
      sections: [section({ sentence: 'Client talks of suicide at night.', transcriptItems: [1, 3] })],
      findings: [told],
      transcript: talk(`
        clinician: How are the nights?
        speaker_2: She talks of suicide at night.
        clinician: Is that so?
        speaker_3: Yes.
      `),
    })
    expect(review).toEqual([])
  })

  it('what one affirms does not state that the other denied it', () => {
    expect(listed('Client reports thinking about killing themselves some nights.', [2, 3])).toContain('no')
  })
})
