import { describe, expect, it } from 'vitest'
import { isOneVoice } from '../../../src/engines/speech/is-one-voice.js'

/** Lines of ten seconds, one after the other. */
const talk = (speakers: readonly string[], durationSeconds: number) => ({
  items: speakers.map((speaker, index) => ({
    startTime: index * 10,
    endTime: index * 10 + 10,
    speaker,
    transcript: 'And what then?',
  })),
  durationSeconds,
})

const lines = (speaker: string, count: number): string[] => Array.from({ length: count }, () => speaker)

describe('only one voice was heard', () => {
  it('in three minutes with a minute of talk, whoever it is', () => {
    expect(isOneVoice(talk(lines('speaker_1', 6), 180))).toBe(true)
    expect(isOneVoice(talk(lines('clinician', 100), 3_000))).toBe(true)
  })

  it.each([
    ['a second voice, however little it said', talk([...lines('clinician', 100), 'client'], 3_000)],
    [
      'a second voice that nobody could name',
      talk(['speaker_1', 'speaker_2', ...lines('speaker_1', 20)], 900),
    ],
    ['less than three minutes', talk(lines('speaker_1', 17), 179)],
    ['less than a minute of talk', talk(lines('speaker_1', 5), 3_000)],
    ['nothing', talk([], 3_000)],
  ])('not with %s', (_what, transcription) => {
    expect(isOneVoice(transcription)).toBe(false)
  })
})
