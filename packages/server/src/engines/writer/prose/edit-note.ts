import { NOTE_TYPES, type NoteType, type NoteTemplate } from '@casenote/contract'
import { EngineFault } from '../../engine-fault.js'
import { defaultOf, templateOf, type DefaultTemplates } from '../templates/built-in-templates.js'
import { listKeys } from '../templates/note-template.js'
import { toNoteSections } from '../to-note-sections.js'
import type { EditOutcome, EditRequest, JudgedSection, JudgedSentence } from '../writer-engine.js'
import { Edit } from './answer-schemas.js'
import { askForJson, type Verdict } from './ask-for-json.js'
import { findDanger } from './find-danger.js'
import { openSession } from './gather-material.js'
import { judgeSections } from './judge-sections.js'
import { editNoteTask } from './prompts.js'
import { requireAnswer, toTask, withFindings, type ProseParts, type Session } from './prose-parts.js'
import { quoteBlock } from './quote-data.js'
import { templateAfter, type EditedSection, type EditedSentence } from './read-edit.js'
import type { TakenEdit } from './take-edit.js'
import { estimateTokens } from './token-budget.js'
import { repair } from './write-note.js'

/** The keys of every type that an edit may go to, and of the note's own template. */
const listSectionKeys = (template: NoteTemplate, defaults?: DefaultTemplates): string[] => [
  ...new Set([...NOTE_TYPES.flatMap((type) => listKeys(defaultOf(type, defaults))), ...listKeys(template)]),
]

/**
 * A magic edit: the model changes sections, what stays keeps its judgement whatever it was, what is new is judged as in a new
 * note, and what the clinician stated is theirs unless it contradicts the session. What the ledger listed before and the edit
 * dropped about danger, medicines, allergies or disposition is put back in the repair, unless the request is about it.
 */
export async function editNote(
  parts: ProseParts,
  request: EditRequest,
  signal: AbortSignal,
): Promise<EditOutcome> {
  const template = templateOf(request)
  const rules = editNoteTask(template, request.defaults)
  const schema = Edit(listSectionKeys(template, request.defaults), Math.max(request.transcript.length, 1))
  const quoted = requireAnswer(await parts.checker.quote(request.note))
  const data = `${quoted}\n\n${quoteBlock('request', request.instructions)}`
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
  return edited.isDone ? keepWhole(parts, session, request, edited, signal) : edited
}

/**
 * What the model calls the clinician's and the request does not say in these words is asked for once more: nobody bears it out,
 * so it would be refused, though the clinician may have stated it in other words.
 */
async function askForEdit(
  { model, checker }: ProseParts,
  task: ReturnType<typeof toTask<ReturnType<typeof Edit>>>,
  { noteType, template, defaults, note, instructions }: EditRequest,
  signal: AbortSignal,
): Promise<TakenEdit> {
  let first: TakenEdit | null = null
  const judge = async (answer: Edit): Promise<Verdict<TakenEdit>> => {
    const request = { noteType, template, note, instructions, ...(defaults ? { defaults } : {}) }
    const verdict = requireAnswer(await checker.takeEdit({ answer, request }))
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
  { noteType, sections, before }: Extract<TakenEdit, { isDone: true }>,
  signal: AbortSignal,
): Promise<EditOutcome> {
  const { transcript, note, instructions } = request
  const template = templateAfter(request, noteType)
  const refused = await checkStated(parts, request, noteType, sections)
  if (refused !== null) return { isDone: false, reason: refused }
  const findings = await findDanger(parts, session, signal)
  const known = withFindings(session, findings)
  const drafts = withEmptySections(template, sections)
  const judged = markStated(await judgeSections(parts, known, drafts, before, signal), drafts)
  const [ledgerBefore, ledgerAfter] = await Promise.all([
    parts.checker.compare({ sections: note, findings, transcript }),
    parts.checker.compare({ sections: toNoteSections(template, judged), findings, transcript }),
  ])
  const dropped = requireAnswer(
    await parts.checker.findDropped({ before: ledgerBefore, after: ledgerAfter, instructions }),
  )
  const mended = await repair(parts, known, { template, sections: judged, findings, dropped }, signal)
  const { sections: finished, leftOut } = requireAnswer(
    await parts.checker.finish({
      template,
      sections: mended,
      findings,
      transcript,
      edited: { note, instructions },
      jotted: [],
      language: request.reading.language,
    }),
  )
  return { isDone: true, noteType, note: { sections: finished, findings, leftOut } }
}

/** What was dropped may have to come back into a section that the edit left empty. */
const withEmptySections = (template: NoteTemplate, sections: readonly EditedSection[]): EditedSection[] =>
  listKeys(template).map(
    (key) => sections.find((section) => section.key === key) ?? { key, layout: 'paragraph', sentences: [] },
  )

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
  const { sections: checked } = requireAnswer(
    await checker.recheck({
      noteType,
      sections: [{ key: 'request', title: 'Request', content, evidence: [] }],
      transcript,
      reading,
    }),
  )
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
