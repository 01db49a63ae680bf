import type { NoteSection, TranscriptItem } from '@casenote/contract'
import { compareNote, withoutComparison } from '../ledger/compare-note.js'
import type { Ledger } from '../ledger/ledger.js'
import type { Reading } from '../reader/reading.js'
import { splitSentences } from '../text/split-sentences.js'
import { checkSentence } from './check-sentence.js'
import { makeContradictionFinder } from './find-contradiction.js'
import { makeEvidenceFinder } from './find-evidence.js'
import { findKept, type Stretch } from './find-kept.js'
import type { KeepRequest, PackedRecheckRequest, PackedTalk, RecheckRequest } from './checker-requests.js'
import { readTalk } from './read-talk.js'

type Evidence = NoteSection['evidence'][number]

/** For more new sentences than this no items are looked for: nobody typed them one by one. */
const searchedMax = 2_000

/** After a person changed the text: what stayed is as it was, what is new is theirs, unless it contradicts. */
export const recheckNote = ({
  sections,
  transcript,
  reading,
  names = [],
}: RecheckRequest): { sections: NoteSection[]; ledger: Ledger } => {
  const findings = reading?.findings ?? []
  const judgeNew = makeTypedJudge(transcript, reading)
  const room = makeRoom()
  const rechecked = sections.map((section) => ({
    ...section,
    evidence: room.fill(findKept(section.content, section.evidence), (text) =>
      splitSentences(text).map(judgeNew),
    ),
  }))
  return { sections: rechecked, ledger: compareNote({ sections: rechecked, findings, transcript, names }) }
}

/** What a person typed: theirs, with the items that bear it out, unless the session holds the contrary. */
export const makeTypedJudge = (
  transcript: readonly TranscriptItem[],
  reading: Reading | null,
): ((sentence: string) => Evidence) => {
  const findEvidence = makeEvidenceFinder(transcript)
  const findContradiction = makeContradictionFinder(reading?.findings ?? [], transcript)
  const talk = readTalk(transcript)
  let searched = 0
  return (sentence) => {
    const reason = findContradiction(sentence)
    if (reason !== null)
      return { sentence, transcriptItems: [], supported: false, judgement: 'refused', reason }
    const items = searched++ < searchedMax ? findEvidence(sentence) : []
    const bearsOut =
      items.length > 0 &&
      (reading === null || checkSentence({ text: sentence, transcriptItems: items }, talk, reading) === null)
    return typed(sentence, bearsOut ? items : [])
  }
}

export const unpackRecheck = (request: RecheckRequest | PackedRecheckRequest): RecheckRequest => {
  if (!('talk' in request)) return request
  const { talk, ...rest } = request
  return { ...rest, ...unpackTalk(talk) }
}

export const unpackTalk = ({
  transcript,
  reading,
  names = [],
}: PackedTalk): Pick<RecheckRequest, 'transcript' | 'reading'> & { names: readonly string[] } => ({
  transcript: JSON.parse(transcript) as TranscriptItem[],
  reading: unpackReading(reading),
  names,
})

const unpackReading = (packed: PackedTalk['reading']): Reading | null =>
  packed === null ? null : (JSON.parse(packed) as { reading: Reading }).reading

/** Without looking anything up; of a talk it needs what was found in it, and nothing that was said. */
export const keepNote = ({
  sections,
  reading,
  names,
}: KeepRequest): { sections: NoteSection[]; ledger: Ledger } => ({
  sections: sections.map(makeKnownKeeper()),
  ledger: listUnstated(reading, names),
})

const listUnstated = (reading: KeepRequest['reading'], names: KeepRequest['names']): Ledger =>
  withoutComparison((typeof reading === 'string' ? unpackReading(reading) : reading)?.findings ?? [], names)

/** More entries would make every later reading of the note slow; a note has some forty. */
const entriesMax = 5_000

interface EvidenceRoom {
  /** Evidence of a section's stretches. Where there is no room left, the rest of the section is the clinician's as a whole. */
  fill(stretches: readonly Stretch[], judge: (text: string) => Evidence[]): Evidence[]
}

const makeRoom = (): EvidenceRoom => {
  let left = entriesMax
  return {
    fill: (stretches, judge) => {
      const filled: Evidence[] = []
      for (const [index, stretch] of stretches.entries()) {
        const entries = 'kept' in stretch ? [keep(stretch.kept)] : judge(stretch.text)
        left -= entries.length
        if (left < 0) {
          const rest = stretches.slice(index).map((one) => ('kept' in one ? one.kept.sentence : one.text))
          return [...filled, typed(rest.join('').trim(), [])]
        }
        for (const entry of entries) filled.push(entry)
      }
      return filled
    },
  }
}

const typed = (sentence: string, transcriptItems: number[]): Evidence => ({
  sentence,
  transcriptItems,
  supported: true,
  judgement: 'clinicians_words',
  reason: null,
})

/** Evidence of an earlier version has no judgement: then words had to occur, and what failed was not said. */
export const keep = (entry: Evidence): Evidence => {
  const { judgement } = entry as Partial<Evidence>
  if (judgement !== undefined) return entry
  return entry.supported
    ? { ...entry, judgement: 'exact_checks_only', reason: null }
    : { ...entry, judgement: 'refused', reason: 'not_said' }
}

/** Without a comparison: what stayed is as it was, each new line is the clinician's. One walk over the text, nothing is looked up. */
export const makeKnownKeeper = (): ((section: NoteSection) => NoteSection) => {
  const room = makeRoom()
  return (section) => ({
    ...section,
    evidence: room.fill(findKept(section.content, section.evidence), (text) =>
      text
        .split('\n')
        .map((line) => line.trim().replace(/^[-•*]\s+/, ''))
        .filter((line) => /[\p{L}\p{N}]/u.test(line))
        .map((line) => typed(line, [])),
    ),
  })
}
