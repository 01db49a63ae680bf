import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { assignRoles, type SpokenTurn } from '../../../../src/engines/speech/voices/index.js'

const sample = JSON.parse(
  readFileSync(new URL('../../../../samples/medication-management.json', import.meta.url), 'utf8'),
) as { role: string; startSeconds: number; endSeconds: number; text: string }[]

const say = (lines: readonly (readonly [voice: number, text: string])[]): SpokenTurn[] =>
  lines.map(([voice, text], i) => ({ voice, text, channel: 0, startSeconds: i * 5, endSeconds: i * 5 + 4 }))

describe('assignRoles', () => {
  it.each([
    ['whoever speaks first', 0],
    ['whichever number the voices have', 1],
  ])('knows clinician and client of the sample, %s', (_, clinician) => {
    const turns = sample.map((turn) => ({
      ...turn,
      channel: 0,
      voice: turn.role === 'clinician' ? clinician : 1 - clinician,
    }))
    const expected = new Map([
      [clinician, 'clinician'],
      [1 - clinician, 'client'],
    ])
    expect(assignRoles(turns)).toEqual(expected)
    // Recognizers drop question marks.
    expect(assignRoles(turns.map((turn) => ({ ...turn, text: turn.text.replaceAll('?', '.') })))).toEqual(
      expected,
    )
  })

  it('is not put off by scraps of a third voice where two overlap', () => {
    const turns = [
      ...sample.map((turn) => ({ ...turn, channel: 0, voice: turn.role === 'clinician' ? 0 : 1 })),
      ...say([
        [2, 'Good. Name three things you'],
        [2, 'can see. The plant. The clock. And asleep? Not really. Okay.'],
      ]),
    ]
    expect(assignRoles(turns)).toEqual(
      new Map([
        [0, 'clinician'],
        [1, 'client'],
        [2, 'speaker_3'],
      ]),
    )
  })

  it('leaves two people who chat without a role', () => {
    const turns = say([
      [0, 'It rained all day yesterday.'],
      [1, 'It did, the garden needed it.'],
      [0, 'The market is on Saturday this time.'],
      [1, 'Then the bread will be fresh.'],
    ])
    expect(assignRoles(turns)).toEqual(
      new Map([
        [0, 'speaker_1'],
        [1, 'speaker_2'],
      ]),
    )
  })

  it('names the clinician of a couple, and neither partner as the client', () => {
    const turns = say([
      [0, 'Welcome back, both of you. Who would like to start?'],
      [1, 'We had a fight on Wednesday. I felt so angry.'],
      [2, 'It was about her coming home late. I was worried.'],
      [0, 'When the phone stayed silent, what did you feel?'],
      [2, 'I felt stupid for being worried.'],
      [0, 'Did you know that he was worried? What is it like to hear that?'],
      [1, 'No, I did not. I thought he was just angry at me.'],
    ])
    expect([...assignRoles(turns).values()]).toEqual(['clinician', 'speaker_2', 'speaker_3'])
  })

  it('does not let a visitor take the client away', () => {
    const turns = say([
      [0, 'How have you been sleeping? Any side effects from the medication?'],
      [
        1,
        "I feel better. I slept six hours and I haven't missed a dose. My mood is okay, and my appetite is back.",
      ],
      [2, 'Sorry, wrong room.'],
      [
        0,
        "Let's keep the dose, and I'll see you in four weeks. Have you had any thoughts of hurting yourself?",
      ],
      [1, 'No. I was anxious at work on Monday, but my manager was kind, and I went home early.'],
    ])
    expect([...assignRoles(turns).values()]).toEqual(['clinician', 'client', 'speaker_3'])
  })

  it('knows a client alone, a clinician alone, and neither when one voice both asks and answers', () => {
    const client = [
      'I slept six hours and I was anxious in the morning.',
      'I took my medication. My mood is a five.',
    ]
    const clinician = [
      'The patient reports improved sleep and denies side effects.',
      'Patient was seen for follow up.',
    ]
    const both = sample.map(({ text }) => text)
    expect(assignRoles(say(client.map((text) => [3, text] as const)))).toEqual(new Map([[3, 'client']]))
    expect(assignRoles(say(clinician.map((text) => [0, text] as const)))).toEqual(new Map([[0, 'clinician']]))
    expect(assignRoles(say(both.map((text) => [0, text] as const)))).toEqual(new Map([[0, 'speaker_1']]))
    expect(assignRoles([])).toEqual(new Map())
  })
})
