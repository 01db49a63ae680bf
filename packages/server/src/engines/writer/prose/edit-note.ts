import { NOTE_TEMPLATES, type NoteType } from '@casenote/contract'
import { EngineFault } from '../../engine-fault.js'
import { findDropped } from '../../ledger/find-dropped.js'
import { listTyped } from '../is-account.js'
import { renewNotAsked } from '../say-not-asked.js'
import { toNoteSections } from '../to-note-sections.js'
import type { EditOutcome, EditRequest, JudgedSection, JudgedSentence } from '../writer-engine.js'
import { Edit } from './answer-schemas.js'
import { askForJson, type Verdict } from './ask-for-json.js'
import { findDanger } from './find-danger.js'
import { openSession } from './gather-material.js'
import { makeNamedFinder } from './is-named.js'
import { judgeSections } from './judge-sections.js'
import { keepOwnWords } from './keep-own-words.js'
import { editNoteTask } from './prompts.js'
import { toTask, withFindings, type ProseParts, type Session } from './prose-parts.js'
import { quoteBlock, quoteNote } from './quote-data.js'
import { judgeEdit, type EditDraft, type EditedSection, type EditedSentence } from './read-edit.js'
import { readJudgedSection } from './read-note-section.js'
import { settleRefused } from './settle-refused.js'
import { estimateTokens } from './token-budget.js'
import { repair } from './write-note.js'

const sectionKeys = [
  ...new Set(Object.values(NOTE_TEMPLATES).flatMap(({ sections }) => sections.map(({ key }) => key))),
]

/**
 * A magic edit: the model changes sections, what stays keeps its judgement whatever it was, what is new is judged as in a new
 * note, and what the clinician stated is theirs unless it contradicts the session. What the ledger held before and the edit
 * dropped about danger, medicines, allergies or disposition is put back in the repair, unless the request is about it.
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
  const edited = await askForEdit(parts, task, request, signal)
  if (!edited.isDone) return edited
  return keepWhole(parts, session, request, await keepOwnWords(request, edited), signal)
}

type Edited = EditDraft | { isDone: false; reason: string }

/**
 * What the model calls the clinician's and the request does not say in these words is asked for once more: nobody bears it out,
 * so it would be refused, though the clinician may have stated it in other words.
 */
async function askForEdit(
  { model }: ProseParts,
  task: ReturnType<typeof toTask<ReturnType<typeof Edit>>>,
  request: EditRequest,
  signal: AbortSignal,
): Promise<Edited> {
  let first: Edited | null = null
  const judge = (answer: Edit): Verdict<Edited> => {
    const verdict = judgeEdit(answer, request)
    if (first !== null || !('value' in verdict) || !verdict.value.isDone) return verdict
    if (!verdict.value.sections.some(({ sentences }) => sentences.some(isForeign))) return verdict
    first = verdict.value
    return { problem: foreignWords }
  }
  try {
    return await askForJson(model, task, judge, signal)
  } catch (error) {
    if (first !== null && error instanceof EngineFault && error.kind === 'malformed') return first
    throw error
  }
}

const isForeign = ({ isClaimed, isStated }: EditedSentence): boolean =>
  isClaimed === true && isStated !== true

const foreignWords =
  'a sentence has the source "clinician", but words that are not in the request; write what the clinician states in the words of the request, and nothing with it'

async function keepWhole(
  parts: ProseParts,
  session: Session,
  request: EditRequest,
  { noteType, sections }: EditDraft,
  signal: AbortSignal,
): Promise<EditOutcome> {
  const { transcript, note, instructions } = request
  const refused = await checkStated(parts, request, noteType, sections)
  if (refused !== null) return { isDone: false, reason: refused }
  const findings = await findDanger(parts, session, signal)
  const known = withFindings(session, findings)
  const before = note.map(readJudgedSection)
  const drafts = withEmptySections(noteType, sections)
  const judged = markStated(await judgeSections(parts, known, drafts, before, signal), drafts)
  const [ledgerBefore, ledgerAfter] = await Promise.all([
    parts.checker.compare({ sections: note, findings, transcript }),
    parts.checker.compare({ sections: toNoteSections(noteType, judged), findings, transcript }),
  ])
  const isNamed = makeNamedFinder(instructions)
  const dropped = findDropped(ledgerBefore, ledgerAfter)
    .map(({ finding }) => finding)
    .filter((finding) => !isNamed(finding))
  const mended = await repair(parts, known, { noteType, sections: judged, findings, dropped }, signal)
  const settled = settleRefused(mended, findings, transcript)
  const renewed = renewNotAsked(noteType, settled.sections, {
    before,
    findings,
    typed: listTyped(transcript),
    instructions,
  })
  const shown = renewed.filter(({ sentences }) => sentences.length > 0)
  return {
    isDone: true,
    noteType,
    note: { sections: shown.map((one) => setAsBefore(one, request)), findings, leftOut: settled.leftOut },
  }
}

/** What was dropped may have to come back into a section that the edit left empty. */
const withEmptySections = (noteType: NoteType, sections: readonly EditedSection[]): EditedSection[] =>
  NOTE_TEMPLATES[noteType].sections.map(
    ({ key }) =>
      sections.find((section) => section.key === key) ?? { key, layout: 'paragraph', sentences: [] },
  )

/** A section in which no sentence changed is set as it was, with every dash and empty line. */
function setAsBefore(section: JudgedSection, { note }: EditRequest): JudgedSection {
  const stored = note.find(({ key }) => key === section.key)
  if (stored === undefined) return section
  const { layout, sentences } = readJudgedSection(stored)
  const isSame =
    layout === section.layout &&
    sentences.length === section.sentences.length &&
    sentences.every(({ text }, at) => text === section.sentences[at]?.text)
  return isSame ? { ...section, content: stored.content } : section
}

/** What the clinician states is theirs; what contradicts the session is refused with the reason. Null: nothing does. */
async function checkStated(
  { checker }: ProseParts,
  { transcript, reading }: EditRequest,
  noteType: NoteType,
  sections: readonly EditedSection[],
): Promise<string | null> {
  // Also what only the model calls theirs: whoever asks for the contrary of the session is told so, in whatever words it comes.
  const stated = sections.flatMap(({ sentences }) =>
    sentences.filter(({ isClaimed, isStated }) => isClaimed === true || isStated === true),
  )
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

const markStated = (judged: readonly JudgedSection[], sections: readonly EditedSection[]): JudgedSection[] =>
  judged.map((section, index) => ({
    ...section,
    sentences: section.sentences.map((sentence, place): JudgedSentence =>
      sections[index]?.sentences[place]?.isStated === true
        ? { ...sentence, judgement: 'clinicians_words', reason: null }
        : sentence,
    ),
  }))
