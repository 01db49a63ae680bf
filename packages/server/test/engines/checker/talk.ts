import type { NoteSection, TranscriptItem } from '@casenote/contract'
import { checkSentence } from '../../../src/engines/checker/check-sentence.js'
import type { Fault } from '../../../src/engines/checker/exact-check.js'
import { readTalk } from '../../../src/engines/checker/read-talk.js'
import type { Finding, Reading } from '../../../src/engines/reader/reading.js'
import type { RefusalReason } from '../../../src/engines/writer/writer-engine.js'

/** "clinician: How are you?" one line a turn. */
export const talk = (lines: string): TranscriptItem[] =>
  lines
    .trim()
    .split('\n')
    .map((line, index) => {
      const [, speaker = '', transcript = ''] = /^\s*(\w+): (.+)$/.exec(line) ?? []
      return { startTime: index * 5, endTime: index * 5 + 4, speaker, transcript }
    })

export const readingOf = (...findings: Finding[]): Reading => ({
  figures: '',
  findings,
  questionOf: {},
  version: 'test',
})

/** What the exact checks say of a sentence that rests on these items of the talk; all of them where none are given. */
export const check = (
  lines: string,
  text: string,
  items?: readonly number[],
  ...findings: Finding[]
): RefusalReason => findFault(lines, text, items, ...findings)?.reason ?? null

/** The same with the words at fault. */
export const findFault = (
  lines: string,
  text: string,
  items?: readonly number[],
  ...findings: Finding[]
): Fault | null => {
  const transcript = talk(lines)
  return checkSentence(
    { text, transcriptItems: items ?? transcript.map((_item, index) => index) },
    readTalk(transcript),
    readingOf(...findings),
  )
}

/** A section whose sentences stand one after the other, as a writer left it. */
export const section = (...sentences: (string | Partial<NoteSection['evidence'][number]>)[]): NoteSection => {
  const evidence = sentences.map((entry) => ({
    sentence: '',
    transcriptItems: [],
    supported: true,
    judgement: 'verified' as const,
    reason: null,
    ...(typeof entry === 'string' ? { sentence: entry } : entry),
  }))
  return {
    key: 'subjective',
    title: 'Subjective',
    content: evidence.map(({ sentence }) => sentence).join(' '),
    evidence,
  }
}
