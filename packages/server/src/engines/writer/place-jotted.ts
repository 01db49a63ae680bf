import { NOTE_TEMPLATES, type NoteType } from '@casenote/contract'
import { listSectionNames } from './edits/name-sections.js'
import type { JudgedSection, JudgedSentence } from './writer-engine.js'

/** Where a clinician's own observations stand, unless a line says where it belongs. */
const OBSERVATION_SECTIONS: Readonly<Record<NoteType, string>> = {
  soap: 'objective',
  dap: 'data',
  birp: 'behavior',
  girp: 'response',
  pirp: 'problem',
  psychotherapy_intake: 'mental_status_exam',
  psychiatric_evaluation: 'mental_status_exam',
  medication_management: 'mental_status_exam',
}

/** More than anybody types while they listen; what is left out is still on the pad. */
const linesMax = 200

/** What was typed on the pad, as lines of a note. A dash and a space are how people make lists; "-3 kg" is less. */
export const splitJotted = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().replace(/^[-•*]+(?:\s+|$)/, ''))
    .filter((line) => line !== '')
    .slice(0, linesMax)

/**
 * Word for word and behind what was written from the session: nothing of it is checked against the transcript, and nothing
 * of it is said to have been said. "Plan: call the school" stands in the plan.
 */
export function placeJotted(
  noteType: NoteType,
  sections: readonly JudgedSection[],
  jotted: readonly string[] = [],
): JudgedSection[] {
  const placed = jotted.map((line) => placeLine(noteType, line))
  return sections.map((section) => {
    const own = placed.filter(({ key }) => key === section.key).map(({ text }) => asOwnWords(text, section))
    if (own.length === 0) return section
    return { ...section, sentences: [...section.sentences, ...own] }
  })
}

/** A letter is a section where only one begins with it, as in "P: call the school". */
function placeLine(noteType: NoteType, line: string): { key: string; text: string } {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
  const text = line.slice(colon + 1).trim()
  const { sections } = NOTE_TEMPLATES[noteType]
  const lettered = sections.filter(({ title }) => title.toLowerCase().startsWith(name))
  const named =
    listSectionNames(noteType).find((one) => one.name === name)?.key ??
    (name.length === 1 && sections.length <= 4 && lettered.length === 1 ? lettered[0]?.key : undefined)
  return named === undefined || text === ''
    ? { key: OBSERVATION_SECTIONS[noteType], text: line }
    : { key: named, text }
}

const asOwnWords = (text: string, { layout }: JudgedSection): JudgedSentence => ({
  text,
  transcriptItems: [],
  judgement: 'clinicians_words',
  reason: null,
  startsParagraph: layout === 'paragraph',
})
