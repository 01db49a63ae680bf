import type { TranscriptItem } from '@casenote/contract'
import { checkEvidence } from '../../check-evidence.js'
import { isNotDiscussed } from '../../evidence/check-not-discussed.js'
import { countWords, isContentWord, stemWord, tokenizeWords } from '../../text/tokenize-words.js'
import { listStatements } from '../list-statements.js'
import { placeStatement } from '../place-statement.js'
import { toSentence, type Statement } from '../statement.js'
import { EditRefusal, type Edit } from './edit.js'
import { isInScope, type EditableNote, type EditableSection, type EditableSentence } from './editable-note.js'
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
export function lengthenSections(
  note: EditableNote,
  edit: LengthenEdit,
  transcript: readonly TranscriptItem[],
): EditableNote {
  const { topic, mustBeNew, scope } = edit
  if (topic !== null && !mustBeNew && isMentioned(note, edit, topic)) return note
  const additions = listAdditions(note, edit, transcript)
  const chosen =
    topic === null
      ? note.sections.flatMap((section) => chooseFor(section, additions))
      : additions.toSorted((a, b) => b.score - a.score).slice(0, topicSentencesMax)
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

function listAdditions(
  note: EditableNote,
  { topic, scope }: LengthenEdit,
  transcript: readonly TranscriptItem[],
): Addition[] {
  const keys = new Set(note.sections.map(({ key }) => key))
  return listStatements(transcript).flatMap((statement, turn) => {
    const { items, score, order } = statement
    if (topic !== null && !isAbout(statement, topic, transcript)) return []
    const own = placeStatement(note.noteType, statement)
    // "Add it to the plan" puts it there, wherever it would stand by itself.
    const section = topic !== null && scope?.[0] !== undefined ? scope[0] : own
    const sentence = {
      text: toSentence(statement, turn),
      transcriptItems: [...items],
      startsParagraph: false,
    }
    const isFit = keys.has(section) && isInScope(scope, section) && !isCovered(note, sentence)
    return isFit && checkEvidence(sentence, transcript).isSupported
      ? [{ section, sentence, score, order }]
      : []
  })
}

/** By its own words, or by those of the turns that it was made of. */
const isAbout = ({ text, items }: Statement, topic: string, transcript: readonly TranscriptItem[]) =>
  findMention(text, topic) !== null ||
  items.some((item) => findMention(transcript[item]?.transcript ?? '', topic) !== null && items.length === 1)

/** So much of a statement in the note already that it would be said twice. */
const coveredSameTurn = 0.6
const coveredAnywhere = 0.85

function isCovered(note: EditableNote, { text, transcriptItems }: EditableSentence): boolean {
  const stems = stemsOf(text)
  return note.sections
    .flatMap(({ sentences }) => sentences)
    .some((sentence) => {
      const there = new Set(stemsOf(sentence.text))
      const share = stems.filter((stem) => there.has(stem)).length / Math.max(stems.length, 1)
      const isSameTurn = sentence.transcriptItems.some((item) => transcriptItems.includes(item))
      return share >= (isSameTurn ? coveredSameTurn : coveredAnywhere)
    })
}

/** What a report begins with says nothing of what it is about. */
const frameWords = new Set(['client', 'patient', 'report', 'state', 'describ', 'shar', 'clinician'])

const stemsOf = (text: string) =>
  tokenizeWords(text)
    .filter(({ lower }) => isContentWord(lower))
    .map(({ lower }) => stemWord(lower))
    .filter((stem) => !frameWords.has(stem))

/** The weightiest first, as many as fit. */
function chooseFor(section: EditableSection, additions: readonly Addition[]): Addition[] {
  const words = section.sentences.reduce((sum, { text }) => sum + countWords(text), 0)
  let room = Math.max(growthWordsMin, Math.ceil((words * growthPerCent) / 100))
  return additions
    .filter(({ section: key }) => key === section.key)
    .toSorted((a, b) => b.score - a.score)
    .filter(({ sentence }) => {
      const fits = room > 0
      if (fits) room -= countWords(sentence.text)
      return fits
    })
}

/** In the order of the session; a sentence that said that nothing was discussed makes way. */
function append(section: EditableSection, additions: readonly Addition[]): EditableSection {
  if (additions.length === 0) return section
  const added = additions.toSorted((a, b) => a.order - b.order).map(({ sentence }) => sentence)
  const [only, ...others] = section.sentences
  const isEmpty =
    only !== undefined &&
    others.length === 0 &&
    isNotDiscussed(only.text) &&
    only.transcriptItems.length === 0
  return { ...section, sentences: [...(isEmpty ? [] : section.sentences), ...added] }
}
