import { NOTE_TEMPLATES, type NoteType } from '@casenote/contract'
import type { DraftSection, EditOutcome, EditRequest } from '../writer-engine.js'
import { Edit } from './answer-schemas.js'
import { askForJson, type Verdict } from './ask-for-json.js'
import type { ChatModel } from './chat.js'
import { gatherMaterial } from './gather-material.js'
import { ask, editNoteSystem } from './prompts.js'
import { quoteBlock, quoteNote, readText } from './quote-data.js'
import { readDraft } from './read-draft.js'
import { readNoteSection } from './read-note-section.js'
import { estimateTokens, type TokenBudget } from './token-budget.js'

const sectionKeys = [
  ...new Set(Object.values(NOTE_TEMPLATES).flatMap(({ sections }) => sections.map(({ key }) => key))),
]

const unexplained = 'The change could not be made from what was said in the session.'

export async function editNote(
  chat: ChatModel,
  budget: TokenBudget,
  request: EditRequest,
  signal: AbortSignal,
): Promise<EditOutcome> {
  const system = editNoteSystem(request.noteType)
  const schema = Edit(sectionKeys, request.transcript.length)
  const asked = `${quoteNote(request.note)}\n\n${quoteBlock('request', request.instructions)}\n\n${ask.edit}`
  const promptTokens = estimateTokens(system + asked + JSON.stringify(schema))
  const material = await gatherMaterial(chat, budget, request.transcript, promptTokens, signal)
  const task = {
    name: 'edited_note',
    system,
    user: `${material}\n\n${asked}`,
    schema,
    outputTokensMax: budget.outputTokensMax,
  }
  return askForJson(chat, task, (answer) => judgeEdit(answer, request), signal)
}

/** Only what the model gave back is changed; every other section stays as it is, word for word. */
export function judgeEdit(answer: Edit, request: EditRequest): Verdict<EditOutcome> {
  if (!answer.isDone)
    return { value: { isDone: false, reason: readText(answer.reason ?? '') || unexplained } }
  const keys = NOTE_TEMPLATES[answer.noteType].sections.map(({ key }) => key)
  const given = new Map(answer.sections.map((section) => [section.key, readDraft(section.key, section)]))
  if (given.size < answer.sections.length) return { problem: 'a section is given twice' }
  if ([...given.keys()].some((key) => !keys.includes(key))) {
    return { problem: 'a section is not one of the type of note' }
  }
  if (given.size === 0) return { problem: 'it says that it is done but changes nothing' }
  if (answer.noteType !== request.noteType) return judgeConversion(answer.noteType, keys, given)
  const kept = new Map(request.note.map((section) => [section.key, readNoteSection(section)]))
  const sections = inOrder(keys, new Map([...kept, ...given]))
  return sections.length === 0
    ? { problem: 'nothing is left of the note' }
    : { value: { isDone: true, noteType: answer.noteType, sections } }
}

function judgeConversion(
  noteType: NoteType,
  keys: readonly string[],
  given: ReadonlyMap<string, DraftSection>,
): Verdict<EditOutcome> {
  if (keys.some((key) => !given.has(key))) return { problem: 'a section of the new type of note is missing' }
  return { value: { isDone: true, noteType, sections: keys.flatMap((key) => given.get(key) ?? []) } }
}

/** A section without sentences was removed, or was empty before and is not shown. */
const inOrder = (keys: readonly string[], sections: ReadonlyMap<string, DraftSection>): DraftSection[] =>
  keys.flatMap((key) => {
    const section = sections.get(key)
    return section === undefined || section.sentences.length === 0 ? [] : [section]
  })
