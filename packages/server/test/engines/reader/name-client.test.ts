import { describe, expect, it } from 'vitest'
import type { NamedItem } from '../../../src/engines/named-item.js'
import { nameClient } from '../../../src/engines/reader/name-client.js'
import { toTranscript } from '../session-fixtures.js'

const talk: NamedItem[] = toTranscript([
  ['clinician', 'How are your nights?'],
  ['speaker_2', 'Some nights I think about killing myself.'],
  ['speaker_3', 'I did not know that.'],
])
const speakersOf = (items: readonly NamedItem[]) => nameClient(items).map(({ speaker }) => speaker)

describe('who is the client where no voice is', () => {
  it('is whoever speaks with the clinician', () => {
    expect(speakersOf(talk)).toEqual(['clinician', 'client', 'client'])
  })

  it('is nobody of whom somebody said that they are another', () => {
    const told = talk.map((item): NamedItem =>
      item.speaker === 'speaker_2' ? { ...item, isOther: true } : item,
    )
    expect(speakersOf(told)).toEqual(['clinician', 'speaker_2', 'client'])
  })

  it('is nobody else where the client or no clinician is known', () => {
    const known = talk.map((item) => (item.speaker === 'speaker_3' ? { ...item, speaker: 'client' } : item))
    expect(speakersOf(known)).toEqual(['clinician', 'speaker_2', 'client'])
    expect(speakersOf(talk.slice(1))).toEqual(['speaker_2', 'speaker_3'])
  })
})
