import type { NoteSection, NoteTemplate } from '@casenote/contract'
import { makeKeptFinder } from '../../checker/find-kept.js'
import { splitSentences } from '../../text/split-sentences.js'
import { listKeys } from '../templates/note-template.js'
import type { JudgedSection, JudgedSentence } from '../writer-engine.js'
import type { Scope } from './edit.js'

export interface EditableSection {
  key: string
  layout: 'paragraph' | 'bullets'
  sentences: readonly JudgedSentence[]
}

export interface EditableNote {
  template: NoteTemplate
  sections: readonly EditableSection[]
}

export const readNote = (template: NoteTemplate, sections: readonly NoteSection[]): EditableNote => ({
  template,
  sections: sections.map(readSection),
})

const bullet = /^\s*[-•*–]\s+/

type Evidence = NoteSection['evidence'][number]

function readSection({ key, content, evidence }: NoteSection): EditableSection {
  const lines = content.split(/\n+/).filter((line) => line.trim() !== '')
  const isList = lines.length > 0 && lines.every((line) => bullet.test(line))
  const findOwn = makeEvidenceOf(evidence)
  const sentences = lines.flatMap((line, lineAt) => {
    // A bullet stays one, however many sentences it has; so does a dashed line among paragraphs.
    const texts = isList
      ? [line.replace(bullet, '').trim()]
      : bullet.test(line)
        ? [line.trim()]
        : splitSentences(line)
    return texts.map((text, at): JudgedSentence => {
      const own = findOwn(text)
      const items = [...new Set(own.flatMap(({ transcriptItems }) => transcriptItems))]
      return {
        text,
        transcriptItems: items.toSorted((a, b) => a - b),
        judgement: own[0]?.judgement ?? 'clinicians_words',
        reason: own[0]?.reason ?? null,
        ...(!isList && lineAt > 0 && at === 0 ? { startsParagraph: true } : {}),
      }
    })
  })
  return { key, layout: isList ? 'bullets' : 'paragraph', sentences }
}

/** The evidence of a text: its own, or that of the sentences in it. Each text costs its own length, whatever the others. */
function makeEvidenceOf(evidence: readonly Evidence[]): (text: string) => readonly Evidence[] {
  const bySentence = new Map<string, Evidence>()
  for (const entry of evidence) if (!bySentence.has(entry.sentence)) bySentence.set(entry.sentence, entry)
  const findKept = makeKeptFinder(evidence)
  return (text) => {
    const own = bySentence.get(text)
    if (own !== undefined) return [own]
    return findKept(text).flatMap((stretch) => ('kept' in stretch ? [stretch.kept] : []))
  }
}

/** In the order of the template; sections that the note does not have are left out. */
export const toSections = ({ template, sections }: EditableNote): JudgedSection[] =>
  listKeys(template).flatMap((key) => sections.filter((section) => section.key === key))

export const isInScope = (scope: Scope, key: string): boolean => scope === null || scope.includes(key)

/** The sections in scope, changed one by one. */
export const changeSections = (
  note: EditableNote,
  scope: Scope,
  change: (section: EditableSection) => EditableSection,
): EditableNote => ({
  ...note,
  sections: note.sections.map((section) => (isInScope(scope, section.key) ? change(section) : section)),
})

export const changeTexts = (
  note: EditableNote,
  scope: Scope,
  change: (text: string) => string,
): EditableNote =>
  changeSections(note, scope, (section) => ({
    ...section,
    sentences: section.sentences.map((sentence) => ({ ...sentence, text: change(sentence.text) })),
  }))

/** "Sleep:", a line that names those below it. */
export const isHeading = ({ text }: { text: string }): boolean => /^\p{Lu}[\p{L} ]{2,40}:$/u.test(text)

/** A heading with nothing under it goes with what stood there. */
export const dropBareHeadings = (sentences: readonly JudgedSentence[]): JudgedSentence[] =>
  sentences.filter((sentence, at) => {
    const next = sentences[at + 1]
    return !isHeading(sentence) || (next !== undefined && !isHeading(next))
  })

export const inOneParagraph = ({
  text,
  transcriptItems,
  judgement,
  reason,
}: JudgedSentence): JudgedSentence => ({ text, transcriptItems, judgement, reason })

/** Changes what stands outside quotation marks. A mark that nothing closes opens no quote. */
export function outsideQuotes(text: string, change: (part: string) => string): string {
  const lastOf = { '"': text.lastIndexOf('"'), '“': text.lastIndexOf('”') }
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const mark = text[at]
    if ((mark !== '"' && mark !== '“') || lastOf[mark] <= at) continue
    const end = text.indexOf(mark === '"' ? '"' : '”', at + 1) + 1
    parts.push(change(text.slice(from, at)), text.slice(at, end))
    from = end
    at = end - 1
  }
  return [...parts, change(text.slice(from))].join('')
}
