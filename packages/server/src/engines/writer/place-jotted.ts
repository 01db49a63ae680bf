import type { NoteTemplate } from '@casenote/contract'
import { listSectionNames } from './edits/name-sections.js'
import { placeOf } from './templates/note-template.js'
import type { JudgedSection, JudgedSentence } from './writer-engine.js'

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
  template: NoteTemplate,
  sections: readonly JudgedSection[],
  jotted: readonly string[] = [],
): JudgedSection[] {
  const placed = jotted.map((line) => placeLine(template, line))
  return sections.map((section) => {
    const own = placed.filter(({ key }) => key === section.key).map(({ text }) => asOwnWords(text, section))
    if (own.length === 0) return section
    return { ...section, sentences: [...section.sentences, ...own] }
  })
}

/** A letter is a section where only one begins with it, as in "P: call the school". */
function placeLine(template: NoteTemplate, line: string): { key: string; text: string } {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
  const text = line.slice(colon + 1).trim()
  const { sections } = template
  const lettered = sections.filter(({ title }) => title.toLowerCase().startsWith(name))
  const named =
    listSectionNames(template).find((one) => one.name === name)?.key ??
    (name.length === 1 && sections.length <= 4 && lettered.length === 1 ? lettered[0]?.key : undefined)
  return named === undefined || text === ''
    ? // A clinician's own observations, unless the line says where it belongs.
      { key: placeOf(template, 'observed'), text: line }
    : { key: named, text }
}

const asOwnWords = (text: string, { layout }: JudgedSection): JudgedSentence => ({
  text,
  transcriptItems: [],
  judgement: 'clinicians_words',
  reason: null,
  startsParagraph: layout === 'paragraph',
})
