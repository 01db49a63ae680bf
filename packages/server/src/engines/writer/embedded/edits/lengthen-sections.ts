import type { TranscriptItem } from '@casenote/contract'
import { checkEvidence } from '../../check-evidence.js'
import { isNotDiscussed } from '../../evidence/check-not-discussed.js'
import { countWords, isContentWord, stemWord, tokenizeWords } from '../../text/tokenize-words.js'
import { listStatements } from '../list-statements.js'
import { placeStatement } from '../place/place-statement.js'
import { toSentence, type Statement } from '../statement/statement.js'
import { EditRefusal, type Edit } from './edit.js'
import {
  appendSentences,
  isInScope,
  type EditableNote,
  type EditableSection,
  type EditableSentence,
} from './editable-note.js'
import { findMention } from './find-mention.js'

type LengthenEdit = Extract<Edit, { kind: 'lengthen' }>

/** "Longer" adds about half of what a section has, "mention it" a few sentences. */
const growthPerCent = 50
const growthWordsMin = 25
const topicSentencesMax = 3

interface Addition {
  section: string
  sentence: EditableSentence
  score: number
  order: number
}

/** Adds what was said and is not in the note yet. Nothing else can be added: without such statements it is refused. */
export async function lengthenSections(
  note: EditableNote,
  edit: LengthenEdit,
  transcript: readonly TranscriptItem[],
): Promise<EditableNote> {
  const { topic, mustBeNew, scope } = edit
  if (topic !== null && !mustBeNew && isMentioned(note, edit, topic)) return note
  const additions = await listAdditions(note, edit, transcript)
  const added: Cover[] = []
  // The session says a thing more than once; the note does not.
  const isWanted = ({ sentence }: Addition) => {
    if (isCovered(added, sentence) || !checkEvidence(sentence, transcript).isSupported) return false
    added.push(toCover(sentence))
    return true
  }
  const chosen =
    topic === null
      ? note.sections.flatMap((section) => chooseFor(section, additions, isWanted))
      : additions.filter(isWanted).slice(0, topicSentencesMax)
  if (chosen.length === 0) throw new EditRefusal(describeNothing(topic, scope !== null))
  return {
    ...note,
    sections: note.sections.map((section) =>
      append(
        section,
        chosen.filter((one) => one.section === section.key),
      ),
    ),
  }
}

const isMentioned = (note: EditableNote, { scope }: LengthenEdit, topic: string) =>
  note.sections.some(
    ({ key, sentences }) =>
      isInScope(scope, key) &&
      sentences.some(({ text }) => !isNotDiscussed(text) && findMention(text, topic) !== null),
  )

const describeNothing = (topic: string | null, isScoped: boolean) =>
  topic === null
    ? `Nothing more was said in the session that belongs in ${isScoped ? 'that section' : 'the note'}.`
    : `Nothing more about “${topic}” was said in the session; the embedded writer adds only what was said.`

/** The weightiest first. Whether the transcript bears them out is asked of the few that are chosen: it is the dear part. */
async function listAdditions(
  note: EditableNote,
  { topic, scope }: LengthenEdit,
  transcript: readonly TranscriptItem[],
): Promise<Addition[]> {
  const keys = new Set(note.sections.map(({ key }) => key))
  const there = note.sections.flatMap(({ sentences }) => sentences.map(toCover))
  const statements = await listStatements(transcript)
  const additions = statements.flatMap((statement, turn) => {
    if (topic !== null && !isAbout(statement, topic, transcript)) return []
    const placed = placeStatement(note.noteType, statement)
    // "Add it to the plan" puts it there, in full words, wherever it would stand by itself.
    const isMoved = topic !== null && scope?.[0] !== undefined && scope[0] !== placed.section
    const section = isMoved ? (scope[0] ?? placed.section) : placed.section
    const { items, score, order } = statement
    const text = toSentence(isMoved ? statement : placed.statement, turn)
    const sentence = { text, transcriptItems: [...items], startsParagraph: false }
    const isFit = keys.has(section) && isInScope(scope, section) && !isCovered(there, sentence)
    return isFit ? [{ section, sentence, score, order }] : []
  })
  return additions.toSorted((a, b) => b.score - a.score)
}

/** By its own words, or by those of the turns that it was made of. */
const isAbout = ({ text, items }: Statement, topic: string, transcript: readonly TranscriptItem[]) =>
  findMention(text, topic) !== null ||
  items.some((item) => findMention(transcript[item]?.transcript ?? '', topic) !== null && items.length === 1)

/** So much of a statement in the note already that it would be said twice. */
const coveredSameTurn = 0.6
const coveredAnywhere = 0.85

interface Cover {
  stems: ReadonlySet<string>
  items: ReadonlySet<number>
}

const toCover = ({ text, transcriptItems }: EditableSentence): Cover => ({
  stems: new Set(stemsOf(text)),
  items: new Set(transcriptItems),
})

function isCovered(there: readonly Cover[], { text, transcriptItems }: EditableSentence): boolean {
  const own = stemsOf(text)
  return there.some(({ stems, items }) => {
    const share = own.filter((stem) => stems.has(stem)).length / Math.max(own.length, 1)
    const isSameTurn = transcriptItems.some((item) => items.has(item))
    return share >= (isSameTurn ? coveredSameTurn : coveredAnywhere)
  })
}

/** What a report begins with says nothing of what it is about. */
const frameWords = new Set(
  'client patient clinician report reports state states stated describe describes share shares note notes ask asked'
    .split(' ')
    .map(stemWord),
)

const stemsOf = (text: string) =>
  tokenizeWords(text)
    .filter(({ lower }) => isContentWord(lower))
    .map(({ lower }) => stemWord(lower))
    .filter((stem) => !frameWords.has(stem))

/** As many as fit. */
function chooseFor(
  section: EditableSection,
  additions: readonly Addition[],
  isWanted: (addition: Addition) => boolean,
): Addition[] {
  const words = section.sentences.reduce((sum, { text }) => sum + countWords(text), 0)
  let room = Math.max(growthWordsMin, Math.ceil((words * growthPerCent) / 100))
  return additions.filter((addition) => {
    const fits = addition.section === section.key && room > 0 && isWanted(addition)
    if (fits) room -= countWords(addition.sentence.text)
    return fits
  })
}

/** In the order of the session. */
const append = (section: EditableSection, additions: readonly Addition[]): EditableSection =>
  additions.length === 0
    ? section
    : appendSentences(
        section,
        additions.toSorted((a, b) => a.order - b.order).map(({ sentence }) => sentence),
      )
