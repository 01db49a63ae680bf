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

  it.each([
    ['Bob denies suicidal thoughts.', [2, 3]],
    ['Bob denies suicidal thoughts and calls his mother each day.', [2, 3]],
    ['Bob denies suicidal thoughts, and both parents are well.', [2, 3]],
    ['Bob denies suicidal thoughts, and both report a long week.', [2, 3]],
    ['Bob denies thoughts of killing himself when asked.', [3]],
  ])('asked one after the other, the no of the first is none of the second: %s', (text, transcriptItems) => {
    const lines = talk(`
      clinician: Any thoughts of suicide, Ann?
      speaker_2: No.
      clinician: And you, Bob?
      speaker_3: I would rather not say.
    `)
    const unclear = danger({
      id: 'bob',
      items: [2, 3],
      words: 'I would rather not say.',
      standing: 'unclear',
    })
    for (const reading of [readingOf(), readingOf(denied), readingOf(denied, unclear)])
      expect(checkSentence({ text, transcriptItems }, readTalk(lines), reading)?.reason).toBe('denial')
  })

  it.each([
    ['Ann denies suicidal thoughts.', [0, 1]],
    ['Both partners deny suicidal thoughts.', [0, 1]],
    ['When asked, both deny suicidal ideation.', [2, 3]],
    ['Neither of them reports suicidal thoughts.', [0, 1, 3]],
    ['Bob denies suicidal thoughts.', [3]],
  ])('a no of their own bears it out: %s', (text, transcriptItems) => {
    const lines = talk(`
      clinician: Any thoughts of suicide, Ann?
      speaker_2: No.
      clinician: Thoughts of suicide, Bob?
      speaker_3: No, never.
    `)
    expect(checkSentence({ text, transcriptItems }, readTalk(lines), readingOf())).toBeNull()
  })

  it('a no to a partner who asks is of who answers', () => {
    const lines = talk(`
      speaker_2: Do you have thoughts of suicide, Bob?
      speaker_3: No.
      speaker_2: Good.
    `)
    const check = (items: number[]) =>
      checkSentence(
        { text: 'Client denies suicidal thoughts.', transcriptItems: items },
        readTalk(lines),
        readingOf(),
      )?.reason ?? null
    expect(check([1])).toBeNull()
    expect(check([2])).toBe('denial')
  })

  it('what each of them does, or both parents are, is no denial of both', () => {
    const other = danger({ id: 'other', items: [2, 3], words: 'No, I do not.', standing: 'denied' })
    const lines = talk(`
      clinician: Any thoughts of suicide, Ann?
      speaker_2: No, never.
      clinician: Thoughts of suicide, Bob?
      speaker_3: No, I do not.
    `)
    const open = (sentence: string): string[] =>
      compareNote({
        sections: [section({ sentence, transcriptItems: [0, 1] })],
        findings: [denied, other],
        transcript: lines,
      }).review.map(({ id }) => id)
    expect(open('Ann denies suicidal thoughts and walks each day.')).toEqual(['other'])
    expect(open('Ann denies suicidal thoughts, and both parents are well.')).toEqual(['other'])
    expect(open('Ann denies suicidal thoughts, and both report a long week.')).toEqual(['other'])
    expect(open('Both deny suicidal thoughts.')).toEqual([])
    expect(open('Ann and Bob each deny suicidal thoughts.')).toEqual([])
  })

  it('a typed denial contradicts whoever affirmed it', () => {
    const lines = talk(`
      speaker_2: I think about killing myself.
      speaker_3: The week was long.
    `)
    const said = danger({ items: [0], words: 'I think about killing myself.' })
    const stateWith = (typed: string) =>
      compareNote({
        sections: [
          section(
            { sentence: 'Client reports thoughts of killing themself.', transcriptItems: [0] },
            { sentence: typed, transcriptItems: [] },
          ),
        ],
        findings: [said],
        transcript: lines,
      }).entries[0]?.state
    expect(stateWith('Denies suicidal ideation.')).toBe('contradicted')
    expect(stateWith('Asked if any suicidal thoughts, denies.')).toBe('contradicted')
    expect(stateWith('Denies homicidal ideation.')).toBe('stated')
  })
})
