import { describe, expect, it } from 'vitest'
import { checkSentence } from '../../../src/engines/checker/check-sentence.js'
import { readTalk } from '../../../src/engines/checker/read-talk.js'
import { wordQuote } from '../../../src/engines/ledger/quoted-instead.js'
import type { NamedItem, Person } from '../../../src/engines/named-item.js'
import { makeProseWriter } from '../../../src/engines/writer/prose/prose-writer.js'
import type { WrittenNote } from '../../../src/engines/writer/writer-engine.js'
import { readByRules, toTranscript } from '../session-fixtures.js'
import { compareWith, extract } from './extract-talk.js'
import { checker, faultOf, makeModel, writeAll } from './prose-fixture.js'

const { write } = extract
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
  const textsOf = ({ sections }: WrittenNote): string[] =>
    sections.flatMap(({ sentences }) => sentences.map(({ text }) => text))

  it('a quote about danger says who said it', async () => {
    const texts = textsOf(await write({ transcript, reading }))
    expect(texts.find((text) => text.includes('killing myself'))).toContain(
      'Ben, partner: “Some nights I think about killing myself.”',
    )
  })

  it('and the ledger knows the line for an extract’s, so that nothing is missed or listed twice', async () => {
    const told = { transcript, reading }
    const { entries } = compareWith(told, await write(told))
    expect(entries.filter(({ finding }) => finding.kind === 'danger').map(({ state }) => state)).toEqual(
      expect.arrayContaining(['stated']),
    )
  })

  it('two who have one label are not joined', async () => {
    const both = transcript.map((item) =>
      item.person === ben
        ? { ...item, speaker: 'client', transcript: 'Some nights I think about killing myself,' }
        : item,
    )
    const all = textsOf(await write({ transcript: both, reading: readByRules(both) })).join('\n')
    expect(all).toContain('Ben, partner: “Some nights I think about killing myself')
    expect(all).not.toMatch(/killing myself,? I did not know/)
  })

  it('a line in a prompt carries the name', async () => {
    let prompt = ''
    const model = makeModel(({ user }) => {
      prompt = user
      return []
    })
    const request = { noteType: 'soap' as const, transcript, reading, treatmentApproaches: [] }
    await faultOf(writeAll(makeProseWriter(model, checker), request))
    expect(prompt).toContain(
      '\n[2] clinician: Have you had any thoughts of killing yourself, Ben?\n[3] Ben, partner: Some nights I think about killing myself.\n',
    )
  })

  it('what is quoted in place of a sentence names who said it', () => {
    expect(wordQuote(transcript[3], 'Some nights')).toBe('Speaker 3 (Ben, partner) said: “Some nights”')
    expect(wordQuote(transcript[1], 'We argued')).toBe('Client (Ana, client) said: “We argued”')
  })
})

describe('a sentence that says who spoke', () => {
  const talk = readTalk(transcript)
  const reasonOf = (text: string, transcriptItems: number[]) =>
    checkSentence({ text, transcriptItems }, talk, reading)?.reason ?? null

  it('rests on a line of theirs', () => {
    expect(reasonOf('Ben reports that he thinks about killing himself some nights.', [3])).toBeNull()
    expect(reasonOf('Partner reports thinking about killing himself some nights.', [3])).toBeNull()
    expect(reasonOf('Ben reports arguing about money again.', [1])).toBe('speaker')
    expect(reasonOf('The client’s partner reports arguing about money again.', [1])).toBe('speaker')
    expect(reasonOf('Ana reports arguing about money again.', [1])).toBeNull()
  })

  it('of the client rests on no line that only somebody else said', () => {
    expect(reasonOf('Client reports thinking about killing themselves some nights.', [3])).toBe('speaker')
    expect(reasonOf('Client reports arguing about money again.', [1])).toBeNull()
  })

  it('and a line of theirs beside it is none: only a question of the clinician stands for its answer', () => {
    expect(reasonOf('Client reports thinking about killing themselves', [3])).toBe('speaker')
    expect(reasonOf('Ana reports thinking about killing herself.', [3])).toBe('speaker')
    expect(reasonOf('Ben reports that he did not know.', [4])).toBe('speaker')
    expect(reasonOf('Ben reports thoughts of killing himself.', [2])).not.toBe('speaker')
    expect(reasonOf('Ben reports that he argued.', [0])).toBe('speaker')
  })

  it('of both is of nobody in particular', () => {
    expect(reasonOf('Ana and Ben report arguing about money again.', [1])).toBeNull()
  })
})
