import { expect, it } from 'vitest'
import { checkExactly } from '../../../src/engines/checker/check-exactly.js'
import { recheckNote } from '../../../src/engines/checker/recheck-note.js'
import { danger, medicine } from '../ledger/findings.js'
import { readingOf } from './talk.js'

const words =
  'the client reports sleep anger gun suicide denies not no 50 mg sertraline said three or four nights a week, and then "I want to die" voices plan he hit her. Next week at 4:30 p.m. e.g. Dr. Smith'.split(
    ' ',
  )

/** The same text for the same seed. */
const write = (length: number, seed: number): string => {
  let text = ''
  let state = seed
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    text += `${words[state % words.length] ?? ''}${state % 17 === 0 ? '. ' : state % 41 === 0 ? '\n- ' : ' '}`
  }
  return text.slice(0, length)
}

/** Half an hour of talk: the note is what grows here. */
const transcript = Array.from({ length: 300 }, (_, index) => ({
  startTime: index * 6,
  endTime: index * 6 + 5,
  speaker: index % 2 === 0 ? 'clinician' : 'client',
  transcript: write(150, index + 1),
}))
const reading = readingOf(
  ...Array.from({ length: 200 }, (_, index) =>
    index % 2 === 0
      ? danger({ id: `d${index}`, items: [index * 5], words: write(60, index + 1) })
      : medicine({ id: `m${index}`, items: [index], dose: '50 mg' }),
  ),
)

const sectionLength = 50_000

const measureMs = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const recheckSections = (count: number): number => {
  const sections = Array.from({ length: count }, (_, index) => ({
    key: `k${index}`,
    title: 'T',
    content: write(sectionLength, index + 7),
    evidence: [],
  }))
  return measureMs(() => {
    const { sections: once } = recheckNote({ noteType: 'soap', sections, transcript, reading })
    recheckNote({ noteType: 'soap', sections: once, transcript, reading })
    const drafts = once.map(({ key, evidence }) => ({
      key,
      layout: 'paragraph' as const,
      sentences: evidence.map(({ sentence }) => ({ text: sentence, transcriptItems: [3, 70] })),
    }))
    checkExactly({ sections: drafts, transcript, reading })
  })
}

/** A body of a request is a megabyte at the most: twenty sections. Some three seconds of processor time; a busy machine takes ten times as long. */
const timeoutMs = 300_000

it(
  'takes less than three times as long for twice the text, at the largest size',
  () => {
    recheckSections(2)
    const half = recheckSections(10)
    expect(recheckSections(20)).toBeLessThan(half * 3)
  },
  timeoutMs,
)
