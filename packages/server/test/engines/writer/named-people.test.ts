import { describe, expect, it } from 'vitest'
import { checkSentence } from '../../../src/engines/checker/check-sentence.js'
import { readTalk } from '../../../src/engines/checker/read-talk.js'
import { wordQuote } from '../../../src/engines/ledger/quoted-instead.js'
import { compareNote } from '../../../src/engines/ledger/compare-note.js'
import type { NamedItem, Person } from '../../../src/engines/named-item.js'
import { writeNote } from '../../../src/engines/writer/extract/write-note.js'
import { quoteItem } from '../../../src/engines/writer/prose/quote-data.js'
import { builtInTemplate } from '../../../src/engines/writer/templates/built-in-templates.js'
import { toNoteSections } from '../../../src/engines/writer/to-note-sections.js'
import { readByRules, toTranscript } from '../session-fixtures.js'

const ana: Person = { label: 'Ana, client', name: 'Ana', role: 'client' }
const ben: Person = { label: 'Ben, partner', name: 'Ben', role: 'partner' }

const transcript: NamedItem[] = toTranscript([
  ['clinician', 'How was the week for the two of you?'],
  ['client', 'We argued about money again.'],
  ['clinician', 'Have you had any thoughts of killing yourself, Ben?'],
  ['speaker_3', 'Some nights I think about killing myself.'],
  ['client', 'I did not know that.'],
]).map((item) => {
  if (item.speaker === 'clinician') return item
  return { ...item, person: item.speaker === 'client' ? ana : ben }
})
const reading = readByRules(transcript)

describe('where several people were named', () => {
  const note = writeNote({ noteType: 'soap', transcript, reading, treatmentApproaches: [] })
  const texts = note.sections.flatMap(({ sentences }) => sentences.map(({ text }) => text))

  it('a quote about danger says who said it', () => {
    expect(texts.find((text) => text.includes('killing myself'))).toContain(
      'Ben, partner: “Some nights I think about killing myself.”',
    )
  })

  it('and the ledger knows the line for an extract’s, so that nothing is missed or listed twice', () => {
    const template = builtInTemplate('soap')
    const sections = toNoteSections(template, note.sections)
    const { entries } = compareNote({ sections, findings: note.findings, transcript })
    expect(entries.filter(({ finding }) => finding.kind === 'danger').map(({ state }) => state)).toEqual(
      expect.arrayContaining(['stated']),
    )
  })

  it('two who have one label are not joined', () => {
    const both = transcript.map((item) =>
      item.person === ben
        ? { ...item, speaker: 'client', transcript: 'Some nights I think about killing myself,' }
        : item,
    )
    const written = writeNote({
      noteType: 'soap',
      transcript: both,
      reading: readByRules(both),
      treatmentApproaches: [],
    })
    const all = written.sections.flatMap(({ sentences }) => sentences.map(({ text }) => text)).join('\n')
    expect(all).toContain('Ben, partner: “Some nights I think about killing myself')
    expect(all).not.toMatch(/killing myself,? I did not know/)
  })

  it('a line in a prompt carries the name', () => {
    expect(transcript.slice(2, 4).map((item, index) => quoteItem(item, index + 2))).toEqual([
      '[2] clinician: Have you had any thoughts of killing yourself, Ben?',
      '[3] Ben, partner: Some nights I think about killing myself.',
    ])
  })

  it('what is quoted in place of a sentence names who said it', () => {
    expect(wordQuote(transcript[3], 'Some nights')).toBe('Speaker 3 (Ben, partner) said: “Some nights”')
    expect(wordQuote(transcript[1], 'We argued')).toBe('Client (Ana, client) said: “We argued”')
  })
})

describe('a sentence that says who spoke', () => {
  const talk = readTalk(transcript)
  const faultOf = (text: string, transcriptItems: number[]) =>
    checkSentence({ text, transcriptItems }, talk, reading)?.reason ?? null

  it('rests on a line of theirs', () => {
    expect(faultOf('Ben reports that he thinks about killing himself some nights.', [3])).toBeNull()
    expect(faultOf('Partner reports thinking about killing himself some nights.', [3])).toBeNull()
    expect(faultOf('Ben reports arguing about money again.', [1])).toBe('speaker')
    expect(faultOf('The client’s partner reports arguing about money again.', [1])).toBe('speaker')
    expect(faultOf('Ana reports arguing about money again.', [1])).toBeNull()
  })

  it('of the client rests on no line that only somebody else said', () => {
    expect(faultOf('Client reports thinking about killing themselves some nights.', [3])).toBe('speaker')
    expect(faultOf('Client reports arguing about money again.', [1])).toBeNull()
  })

  it('and a line of theirs beside it is none: only a question of the clinician stands for its answer', () => {
    expect(faultOf('Client reports thinking about killing themselves', [3])).toBe('speaker')
    expect(faultOf('Ana reports thinking about killing herself.', [3])).toBe('speaker')
    expect(faultOf('Ben reports that he did not know.', [4])).toBe('speaker')
    expect(faultOf('Ben reports thoughts of killing himself.', [2])).not.toBe('speaker')
    expect(faultOf('Ben reports that he argued.', [0])).toBe('speaker')
  })

  it('of both is of nobody in particular', () => {
    expect(faultOf('Ana and Ben report arguing about money again.', [1])).toBeNull()
  })
})
