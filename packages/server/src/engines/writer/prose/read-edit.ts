import type { NoteTemplate, NoteType } from '@casenote/contract'
import { defaultOf, templateOf } from '../templates/built-in-templates.js'
import { listKeys } from '../templates/note-template.js'
import type {
  DraftSection,
  DraftSentence,
  EditRequest,
  JudgedSection,
  JudgedSentence,
} from '../writer-engine.js'
import type { Edit } from './answer-schemas.js'
import type { Verdict } from './ask-for-json.js'
import { makeOwnWordsFinder } from '../../ledger/find-own-words.js'
import { quoteText, readText } from './quote-data.js'
import { readSentence } from './read-draft.js'
import { readJudgedSection } from './read-note-section.js'

const unexplained = 'The change could not be made from what was said in the session.'

/** What of an edit's request the reading of its answer goes by. */
export type AskedEdit = Pick<EditRequest, 'noteType' | 'template' | 'defaults' | 'note' | 'instructions'>

export type JudgedEdit = EditDraft | { isDone: false; reason: string }

export interface EditDraft {
  isDone: true
  noteType: NoteType
  sections: readonly EditedSection[]
}

export interface EditedSection extends DraftSection {
  sentences: readonly EditedSentence[]
}

export interface EditedSentence extends DraftSentence {
  /** The model says that it is the clinician's. */
  isClaimed?: boolean
  /** It is: they say so in the request. */
  isStated?: boolean
}

/** Only what the model gave back is changed; every other section stays as it is, word for word. */
export function judgeEdit(answer: Edit, request: AskedEdit): Verdict<JudgedEdit> {
  if (!answer.isDone)
    return { value: { isDone: false, reason: readText(answer.reason ?? '') || unexplained } }
  const keys = listKeys(templateAfter(request, answer.noteType))
  const before = request.note.map(readJudgedSection)
  const read = makeSentenceReader(before, request.instructions)
  const given = new Map(answer.sections.map((section) => [section.key, readEdited(section, read)]))
  if (given.size < answer.sections.length) return { problem: 'a section is given twice' }
  if ([...given.keys()].some((key) => !keys.includes(key))) {
    return { problem: 'a section is not one of the type of note' }
  }
  if (given.size === 0) return { problem: 'it says that it is done but changes nothing' }
  if (answer.noteType !== request.noteType) return judgeConversion(answer.noteType, keys, given)
  const kept = new Map(before.map((section) => [section.key, keepSection(section)]))
  const sections = inOrder(keys, new Map([...kept, ...given]))
  return sections.length === 0
    ? { problem: 'nothing is left of the note' }
    : { value: { isDone: true, noteType: answer.noteType, sections } }
}

/** An edit that changes the type of note goes to the nearest default of it, as a new note would. */
export const templateAfter = (
  request: Pick<EditRequest, 'noteType' | 'template' | 'defaults'>,
  noteType: NoteType,
): NoteTemplate =>
  noteType === request.noteType ? templateOf(request) : defaultOf(noteType, request.defaults)

type SentenceReader = (sentence: Edit['sections'][number]['sentences'][number]) => EditedSentence[]

/**
 * A sentence that comes back as it was is the one of before, with its judgement; a clinician's is so whatever items it comes
 * with. That the model calls a new one the clinician's is not enough.
 */
function makeSentenceReader(before: readonly JudgedSection[], instructions: string): SentenceReader {
  const known = new Map<string, JudgedSentence>()
  for (const sentence of before.flatMap(({ sentences }) => sentences)) {
    const text = asRead(sentence.text)
    if (sentence.judgement === 'clinicians_words') known.set(text, sentence)
    else known.set(toKey(text, sentence.transcriptItems), sentence)
  }
  const isStated = makeOwnWordsFinder(instructions)
  return (sentence) =>
    readSentence(sentence).map((read) => {
      const same = known.get(read.text) ?? known.get(toKey(read.text, read.transcriptItems))
      if (same !== undefined) return { ...same, isKept: true }
      const isClaimed = sentence.source === 'clinician' && sentence.items.length === 0
      return { ...read, isClaimed, isStated: isClaimed && isStated(read.text) }
    })
}

const toKey = (text: string, items: readonly number[]): string => `${items.join(',')} ${text}`

/** As a model that repeats it gives it back. */
export const asRead = (text: string): string => readText(quoteText(text))

const readEdited = (
  { key, layout, sentences }: Edit['sections'][number],
  read: SentenceReader,
): EditedSection => ({
  key,
  layout,
  sentences: sentences.flatMap(read).map((sentence) => setIn(sentence, layout)),
})

/** A list has a line for each sentence already. */
export const setIn = (sentence: EditedSentence, layout: DraftSection['layout']): EditedSentence => {
  if (layout === 'paragraph' || sentence.startsParagraph !== true) return sentence
  const { startsParagraph: _, ...rest } = sentence
  return rest
}

const keepSection = (section: JudgedSection): EditedSection => ({
  ...section,
  sentences: section.sentences.map((sentence) => ({ ...sentence, isKept: true })),
})

function judgeConversion(
  noteType: NoteType,
  keys: readonly string[],
  given: ReadonlyMap<string, EditedSection>,
): Verdict<EditDraft> {
  if (keys.some((key) => !given.has(key))) return { problem: 'a section of the new type of note is missing' }
  return { value: { isDone: true, noteType, sections: keys.flatMap((key) => given.get(key) ?? []) } }
}

/** A section without sentences was removed, or was empty before and is not shown. */
const inOrder = (keys: readonly string[], sections: ReadonlyMap<string, EditedSection>): EditedSection[] =>
  keys.flatMap((key) => {
    const section = sections.get(key)
    return section === undefined || section.sentences.length === 0 ? [] : [section]
  })
