import { describe, expect, it } from 'vitest'
import { withAnswers } from '../../../../src/frame/ui/open-session/with-answers.js'

describe('the lines that a sentence rests on', () => {
  const items = ['How do you sleep?', 'Badly.', 'Since when?', 'May.', 'I see.'].map((transcript, at) => ({
    startTime: at,
    endTime: at + 1,
    speaker: at % 2 === 0 ? 'clinician' : 'client',
    transcript,
  }))

  it('are a question with its answer, whichever of them is named, in their order', () => {
    expect(withAnswers(items, [0])).toEqual([0, 1])
    expect(withAnswers(items, [3, 1])).toEqual([0, 1, 2, 3])
    expect(withAnswers(items, [4])).toEqual([4])
  })

  it('are all of a question and of its answer, however they fall into lines', () => {
    const talk = (...said: [speaker: string, transcript: string][]) =>
      said.map(([speaker, transcript], at) => ({ startTime: at, endTime: at + 1, speaker, transcript }))
    const asked = talk(
      ['client', 'Good morning.'],
      ['clinician', 'Any thoughts of ending your life? Or of harming yourself.'],
      ['clinician', 'I ask everyone.'],
      ['client', 'Well.'],
      ['client', 'Yes, last week, on two evenings.'],
      ['client', 'And then my sister called me.'],
      ['clinician', 'I see.'],
    )
    for (const line of [1, 3, 4]) expect(withAnswers(asked, [line])).toEqual([1, 2, 3, 4])
    expect(withAnswers(asked, [5])).toEqual([5])
    expect(withAnswers(asked, [0])).toEqual([0])
    const alone = talk(
      ['speaker_1', 'Do you sleep?'],
      ['speaker_1', 'Badly.'],
      ['speaker_1', 'Since May, I think.'],
    )
    expect([0, 1, 2].map((line) => withAnswers(alone, [line]))).toEqual([[0, 1], [0, 1], [2]])
    const lecture = talk(
      ...['Why is that?', 'Nobody knows.', 'Some say so.', 'Others not.'].map(
        (one) => ['clinician', one] as [string, string],
      ),
      ['client', 'Fine.'],
    )
    expect(withAnswers(lecture, [0])).toEqual([0])
  })

  it('are those that there are', () => {
    expect(withAnswers(items, [7, -1])).toEqual([])
    expect(withAnswers([], [0])).toEqual([])
  })
})
