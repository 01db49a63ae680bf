import type { Transcript, TranscriptItem } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { nameLines } from '../../src/features/transcripts/name-lines.js'
import {
  changeSpeakers,
  findSpeakerProblems,
  listSpeakers,
  relabel,
  withVoices,
  type KeptSpeaker,
} from '../../src/features/transcripts/voices.js'

const toItems = (turns: [speaker: string, voice?: number][]): TranscriptItem[] =>
  turns.map(([speaker, voice], index) => ({
    startTime: index,
    endTime: index + 1,
    speaker,
    transcript: `line ${index}`,
    ...(voice === undefined ? {} : { voice }),
  }))

const family = toItems([
  ['clinician', 1],
  ['speaker_2', 2],
  ['clinician', 1],
  ['speaker_3', 3],
])
const labels = (items: readonly TranscriptItem[]) => items.map(({ speaker, voice }) => `${voice} ${speaker}`)

describe('voices', () => {
  it('are numbered by their labels in the order of speaking where none were kept', () => {
    const items = withVoices(toItems([['client'], ['clinician'], ['client'], ['speaker_7']]))
    expect(items.map(({ voice }) => voice)).toEqual([1, 2, 1, 3])
    expect(withVoices(items)).toEqual(items)
  })

  it('what was typed has none', () => {
    const [item] = withVoices(toItems([['clinician']]).map((one) => ({ ...one, source: 'typed' as const })))
    expect(item).not.toHaveProperty('voice')
    expect(listSpeakers(item === undefined ? [] : [item], [])).toEqual([])
  })

  it('stay apart when two get the same label', () => {
    const both = family.map((item) => ({
      ...item,
      speaker: item.speaker === 'clinician' ? 'clinician' : 'client',
    }))
    expect(listSpeakers(withVoices(both), []).map(({ voice, speaker }) => [voice, speaker])).toEqual([
      [1, 'clinician'],
      [2, 'client'],
      [3, 'client'],
    ])
  })
})

describe('a role', () => {
  it('makes a voice the client’s or the clinician’s, and every other one a speaker_N that nobody else is', () => {
    const items = relabel(family, {
      speakers: [
        { voice: 2, role: 'client' },
        { voice: 3, role: 'partner' },
        { voice: 1, role: 'parent' },
      ],
    })
    expect(labels(items)).toEqual(['1 speaker_1', '2 client', '1 speaker_1', '3 speaker_3'])
    const taken = toItems([
      ['client', 1],
      ['speaker_1', 2],
    ])
    expect(labels(relabel(taken, { speakers: [{ voice: 1, role: 'child' }] }))).toEqual([
      '1 speaker_2',
      '2 speaker_1',
    ])
  })

  it('that fits changes no line, and a name never does', () => {
    const same = relabel(family, {
      speakers: [
        { voice: 1, role: 'clinician', name: 'Dr. Hale' },
        { voice: 3, role: 'partner', name: 'Ben' },
        { voice: 2, name: 'Ana' },
      ],
    })
    for (const [index, item] of same.entries()) expect(item).toBe(family[index])
  })

  it('is none once somebody corrected the label', () => {
    const kept: KeptSpeaker[] = [{ voice: 2, name: 'Ana', role: 'partner' }]
    const renamed = family.map((item) => (item.voice === 2 ? { ...item, speaker: 'client' } : item))
    expect(listSpeakers(renamed, kept)[1]).toEqual({ voice: 2, speaker: 'client', name: 'Ana', role: null })
  })

  it('a line that another said gets that voice and its label', () => {
    const items = relabel(family, { speakers: [], lines: [{ item: 3, voice: 2 }] })
    expect(labels(items)).toEqual(['1 clinician', '2 speaker_2', '1 clinician', '2 speaker_2'])
  })
})

describe('names', () => {
  it('what is given takes the place of what was, null takes it away, the rest stays', () => {
    const kept: KeptSpeaker[] = [
      { voice: 2, name: 'Ana', role: 'client' },
      { voice: 3, name: 'Ben', role: null },
    ]
    expect(
      changeSpeakers(kept, {
        speakers: [
          { voice: 3, role: 'partner' },
          { voice: 2, name: null },
        ],
      }),
    ).toEqual([
      { voice: 2, name: null, role: 'client' },
      { voice: 3, name: 'Ben', role: 'partner' },
    ])
    expect(changeSpeakers(kept, { speakers: [{ voice: 3, name: null }] })).toEqual([kept[0]])
  })

  it('hold no mark by which a line of a note or of a prompt is read', () => {
    const problemOf = (name: string) => findSpeakerProblems(family, { speakers: [{ voice: 2, name }] })
    for (const name of ['Ana', 'José Ángel O’Neil-Smith, Jr.', '王']) expect(problemOf(name)).toEqual([])
    for (const name of ['a: “b”', '[3] clinician', '</transcript>', 'Ben (12:40)', 'a\nb', 'a\u202eb'])
      expect(problemOf(name)).toEqual(["speakers.0.name must have letters, digits, spaces and . , ' - only"])
  })

  it('are of voices and lines that there are, each once', () => {
    expect(
      findSpeakerProblems(family, {
        speakers: [{ voice: 2 }, { voice: 2 }, { voice: 9 }],
        lines: [
          { item: 9, voice: 1 },
          { item: 0, voice: 8 },
        ],
      }),
    ).toEqual([
      'speakers.1.voice must not be given twice',
      'speakers.2.voice must be a voice of the transcript',
      'lines.0.item must be an item of the transcript',
      'lines.1.voice must be a voice of the transcript',
    ])
  })
})

describe('who said a line, for the writer', () => {
  const told = (kept: KeptSpeaker[], items = family) => {
    const transcript = { transcriptItems: items, speakers: listSpeakers(items, kept) } as Transcript
    return nameLines(transcript).map(({ person }) => person?.label ?? null)
  }

  it('is the name with the role, else the role, with the number where two have it', () => {
    expect(
      told([
        { voice: 2, name: 'Ana', role: null },
        { voice: 3, name: 'Ben', role: 'partner' },
      ]),
    ).toEqual([null, 'Ana', null, 'Ben, partner'])
    expect(told([{ voice: 3, name: null, role: 'child' }])).toEqual([null, null, null, 'Child'])
    expect(
      told([
        { voice: 2, name: null, role: 'child' },
        { voice: 3, name: null, role: 'child' },
      ]),
    ).toEqual([null, 'Child, speaker 2', null, 'Child, speaker 3'])
  })

  it('is nobody in particular where one person speaks with the clinician', () => {
    const two = toItems([
      ['clinician', 1],
      ['client', 2],
    ])
    expect(told([{ voice: 2, name: 'Ana', role: 'client' }], two)).toEqual([null, null])
  })

  it('tells of one with another role that they are not the client, also where they are the only one, and no voice is the client’s', () => {
    const othersOf = (kept: KeptSpeaker[], items = family) =>
      nameLines({ transcriptItems: items, speakers: listSpeakers(items, kept) } as Transcript).map(
        ({ isOther = false }) => isOther,
      )
    const parent: KeptSpeaker = { voice: 2, name: null, role: 'parent' }
    expect(othersOf([parent])).toEqual([false, true, false, false])
    expect(othersOf([parent], family.slice(0, 2))).toEqual([false, true])
    expect(othersOf([{ ...parent, name: 'Ana', role: null }])).toEqual([false, false, false, false])
    const known = family.map((item) => (item.voice === 3 ? { ...item, speaker: 'client' } : item))
    expect(othersOf([parent], known)).toEqual([false, false, false, false])
  })
})
