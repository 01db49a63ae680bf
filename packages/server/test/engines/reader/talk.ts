import type { TranscriptItem } from '@casenote/contract'
import { readFindings } from '../../../src/engines/reader/read-findings.js'
import { readTalk } from '../../../src/engines/reader/talk/read-talk.js'
import type { Finding, TopicScores } from '../../../src/engines/reader/reading.js'

/** "T: How are you?", "C: Fine.", "O: She is not." */
export const makeTalk = (...lines: readonly string[]): TranscriptItem[] =>
  lines.map((line, index) => ({
    startTime: index * 4,
    endTime: index * 4 + 4,
    speaker: line.startsWith('T:') ? 'clinician' : line.startsWith('C:') ? 'client' : 'speaker_1',
    transcript: line.slice(3),
  }))

/** What the rules read, with what the encoder may have said of each item. */
export const readLines = (
  lines: readonly string[],
  topics: Readonly<Record<number, TopicScores>> = {},
): ReturnType<typeof readFindings> =>
  readFindings(
    readTalk(makeTalk(...lines)),
    lines.map((_, index) => topics[index] ?? {}),
  )

export const findKind = <K extends Finding['kind']>(
  kind: K,
  lines: readonly string[],
  topics: Readonly<Record<number, TopicScores>> = {},
): Extract<Finding, { kind: K }>[] =>
  readLines(lines, topics).findings.filter(
    (finding): finding is Extract<Finding, { kind: K }> => finding.kind === kind,
  )
