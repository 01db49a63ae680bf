import { NOTE_TEMPLATES, type NoteType } from '@casenote/contract'
import { findDropped } from '../../ledger/find-dropped.js'
import { toNoteSections } from '../to-note-sections.js'
import type {
  DraftSection,
  DraftSentence,
  EditOutcome,
  EditRequest,
  JudgedSection,
  JudgedSentence,
} from '../writer-engine.js'
import { Edit } from './answer-schemas.js'
import { askForJson, type Verdict } from './ask-for-json.js'
import { findDanger } from './find-danger.js'
import { openSession } from './gather-material.js'
import { judgeSections } from './judge-sections.js'
import { makeOwnStatementFinder } from './own-statement.js'
import { editNoteTask } from './prompts.js'
import { toTask, type ProseParts, type Session } from './prose-parts.js'
import { quoteBlock, quoteNote, readText } from './quote-data.js'
import { readSentence } from './read-draft.js'
import { readJudgedSection } from './read-note-section.js'
import { settleRefused } from './settle-refused.js'
import { estimateTokens } from './token-budget.js'
import { repair } from './write-note.js'

const sectionKeys = [
  ...new Set(Object.values(NOTE_TEMPLATES).flatMap(({ sections }) => sections.map(({ key }) => key))),
]

const unexplained = 'The change could not be made from what was said in the session.'

/**
 * A magic edit: the model changes sections, what stays keeps its judgement, what is new is judged as in a new note, and what
 * the clinician stated is theirs unless it contradicts the session. What the ledger held before and the edit dropped about
 * danger, medicines, allergies or disposition is put back in the repair, unless the request is about it.
 */
export async function editNote(
  parts: ProseParts,
  request: EditRequest,
  signal: AbortSignal,
): Promise<EditOutcome> {
  const rules = editNoteTask(request.noteType)
  const schema = Edit(sectionKeys, Math.max(request.transcript.length, 1))
  const data = `${quoteNote(request.note)}\n\n${quoteBlock('request', request.instructions)}`
  const session = await openSession(
    parts,
    request,
    estimateTokens(rules + data + JSON.stringify(schema)),
    signal,
  )
  const task = toTask(
    'edited_note',
    { material: session.material, data, rules },
    { schema, outputTokensMax: parts.budget.outputTokensMax },
  )
  const edited = await askForJson(parts.model, task, (answer) => judgeEdit(answer, request), signal)
  if (!edited.isDone) return edited
  return keepWhole(parts, session, request, edited, signal)
}

interface EditDraft {
  isDone: true
  noteType: NoteType
  sections: readonly EditedSection[]
}

interface EditedSection extends DraftSection {
  sentences: readonly EditedSentence[]
}

interface EditedSentence extends DraftSentence {
  isClinicians: boolean
}

async function keepWhole(
  parts: ProseParts,
  session: Session,
  request: EditRequest,
  { noteType, sections }: EditDraft,
  signal: AbortSignal,
): Promise<EditOutcome> {
  const { transcript, note } = request
  const clinicians = await checkClinicians(parts, request, noteType, sections)
  if (clinicians !== null) return { isDone: false, reason: clinicians }
  const findings = await findDanger(parts, session, signal)
  const before = note.map(readJudgedSection)
  const judged = await judgeSections(parts, session, sections, before, signal)
  const marked = markClinicians(judged, sections)
  const compare = (compared: readonly JudgedSection[]) =>
    parts.checker.compare({ sections: toNoteSections(noteType, compared), findings, transcript })
  const [ledgerBefore, ledgerAfter] = await Promise.all([
    parts.checker.compare({ sections: note, findings, transcript }),
    compare(marked),
  ])
  const dropped = findDropped(ledgerBefore, ledgerAfter)
    .map(({ finding }) => finding)
    .filter(({ words }) => !isNamed(words, request.instructions))
  const mended = await repair(parts, session, { noteType, sections: marked, findings, dropped }, signal)
  const settled = settleRefused(mended, findings, transcript)
  return { isDone: true, noteType, note: { sections: settled, findings } }
}

/** The request speaks of the thing itself: a word of some length that is also among those that were said. */
const isNamed = (words: string, instructions: string): boolean => {
  const asked = new Set(instructions.toLowerCase().match(/\p{L}{5,}/gu))
  return (words.toLowerCase().match(/\p{L}{5,}/gu) ?? []).some((word) => asked.has(word))
}

/** What the clinician states is theirs; what contradicts the session is refused with the reason. Null: nothing does. */
async function checkClinicians(
  { checker }: ProseParts,
  { transcript, reading }: EditRequest,
  noteType: NoteType,
  sections: readonly EditedSection[],
): Promise<string | null> {
  const stated = sections.flatMap(({ sentences }) => sentences.filter(({ isClinicians }) => isClinicians))
  if (stated.length === 0) return null
  const content = stated.map(({ text }) => text).join('\n')
  const { sections: checked } = await checker.recheck({
    noteType,
    sections: [{ key: 'request', title: 'Request', content, evidence: [] }],
    transcript,
    reading,
  })
  const refused = checked.flatMap(({ evidence }) => evidence).find(({ supported }) => !supported)
  return refused === undefined
    ? null
    : `The session says otherwise, so this was not written: “${refused.sentence}”`
}

const markClinicians = (
  judged: readonly JudgedSection[],
  sections: readonly EditedSection[],
): JudgedSection[] =>
  judged.map((section, index) => ({
    ...section,
    sentences: section.sentences.map((sentence, place): JudgedSentence =>
      sections[index]?.sentences[place]?.isClinicians === true
        ? { ...sentence, judgement: 'clinicians_words', reason: null }
        : sentence,
    ),
  }))

/** Only what the model gave back is changed; every other section stays as it is, word for word. */
export function judgeEdit(
  answer: Edit,
  request: EditRequest,
): Verdict<EditDraft | { isDone: false; reason: string }> {
  if (!answer.isDone)
    return { value: { isDone: false, reason: readText(answer.reason ?? '') || unexplained } }
  const keys = NOTE_TEMPLATES[answer.noteType].sections.map(({ key }) => key)
  const isOwn = makeOwnFinder(request)
  const given = new Map(answer.sections.map((section) => [section.key, readEdited(section, isOwn)]))
  if (given.size < answer.sections.length) return { problem: 'a section is given twice' }
  if ([...given.keys()].some((key) => !keys.includes(key))) {
    return { problem: 'a section is not one of the type of note' }
  }
  if (given.size === 0) return { problem: 'it says that it is done but changes nothing' }
  if (answer.noteType !== request.noteType) return judgeConversion(answer.noteType, keys, given)
  const kept = new Map(request.note.map((section) => [section.key, keepSection(readJudgedSection(section))]))
  const sections = inOrder(keys, new Map([...kept, ...given]))
  return sections.length === 0
    ? { problem: 'nothing is left of the note' }
    : { value: { isDone: true, noteType: answer.noteType, sections } }
}

/** Theirs before, or stated in the request. That the model calls it theirs is not enough. */
function makeOwnFinder({ note, instructions }: EditRequest): (text: string) => boolean {
  const own = new Set(
    note
      .flatMap((section) => readJudgedSection(section).sentences)
      .flatMap(({ text, judgement }) => (judgement === 'clinicians_words' ? [text] : [])),
  )
  const isStated = makeOwnStatementFinder(instructions)
  return (text) => own.has(text) || isStated(text)
}

const readEdited = (
  { key, layout, sentences }: Edit['sections'][number],
  isOwn: (text: string) => boolean,
): EditedSection => ({
  key,
  layout,
  sentences: sentences.flatMap((sentence) =>
    readSentence(sentence).map((read) => ({
      ...read,
      isClinicians: sentence.source === 'clinician' && sentence.items.length === 0 && isOwn(read.text),
    })),
  ),
})

const keepSection = (section: JudgedSection): EditedSection => ({
  ...section,
  sentences: section.sentences.map((sentence) => ({
    ...sentence,
    isClinicians: sentence.judgement === 'clinicians_words',
  })),
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
