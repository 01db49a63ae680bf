import type { JudgedSentence } from '../writer-engine.js'
import { EditRefusal, type Edit, type Scope } from './edit.js'
import {
  changeSections,
  dropBareHeadings,
  inOneParagraph,
  isHeading,
  isInScope,
  type EditableNote,
  type EditableSection,
} from './editable-note.js'
import { findLiteral, findMention, type MentionSpan } from './find-mention.js'

/** One sentence on each line, or all of them in one paragraph. No word changes. */
export const changeLayout = (
  note: EditableNote,
  scope: Scope,
  layout: 'paragraph' | 'bullets',
): EditableNote =>
  changeSections(note, scope, (section) => ({
    ...section,
    layout,
    sentences: section.sentences.map((sentence, at) => ({
      ...inOneParagraph(sentence),
      text: sentence.text.replace(/^\s*[-•*–]\s+/, ''),
      ...(layout === 'paragraph' && at > 0 && isHeading(sentence) ? { startsParagraph: true } : {}),
    })),
  }))

/** Whole sentences that speak of it go. */
export function removeMention(note: EditableNote, scope: Scope, mention: string): EditableNote {
  let isFound = false
  const changed = changeSections(note, scope, (section) => {
    const kept = section.sentences.filter((sentence) => findMention(sentence.text, mention) === null)
    if (kept.length === section.sentences.length) return section
    isFound = true
    return { ...section, sentences: dropBareHeadings(kept) }
  })
  if (!isFound)
    throw new EditRefusal(
      `Nothing about “${mention}” stands in ${scope === null ? 'the note' : 'that section'}.`,
    )
  return changed
}

export const removeSections = (note: EditableNote, keys: readonly string[]): EditableNote => ({
  ...note,
  sections: note.sections.filter(({ key }) => !keys.includes(key)),
})

/** Whole sentences, with their evidence, to the end of another section. None is lost and none is changed. */
export function moveMention(
  note: EditableNote,
  { scope, mention, to }: Extract<Edit, { kind: 'move' }>,
): EditableNote {
  const isMoved = (key: string, sentence: JudgedSentence): boolean =>
    key !== to &&
    isInScope(scope, key) &&
    (mention === null || (!isHeading(sentence) && findMention(sentence.text, mention) !== null))
  const moved = note.sections.flatMap(({ key, sentences }) =>
    sentences.filter((sentence) => isMoved(key, sentence)),
  )
  if (moved.length === 0) {
    throw new EditRefusal(
      mention === null
        ? 'There is nothing to move in that section.'
        : `Nothing about “${mention}” stands outside that section.`,
    )
  }
  const left = note.sections.map((section) =>
    section.sentences.some((sentence) => isMoved(section.key, sentence))
      ? {
          ...section,
          sentences: dropBareHeadings(
            section.sentences.filter((sentence) => !isMoved(section.key, sentence)),
          ),
        }
      : section,
  )
  const target: EditableSection = left.find(({ key }) => key === to) ?? {
    key: to,
    layout: 'bullets',
    sentences: [],
  }
  const joined = { ...target, sentences: [...target.sentences, ...moved] }
  return { ...note, sections: [...left.filter(({ key }) => key !== to), joined] }
}

/** Everywhere in scope, in any case of letters; the sentence is the clinician's from then on. `lengthMax` is the whole note's. */
export function replaceMention(
  note: EditableNote,
  { scope, from, to }: Extract<Edit, { kind: 'replace' }>,
  lengthMax: number,
): EditableNote {
  let count = 0
  for (const section of note.sections)
    if (isInScope(scope, section.key))
      for (const { text } of section.sentences) count += findLiteral(text, from).length
  if (count === 0) throw new EditRefusal(`“${from}” does not stand in the note.`)
  // Before it is written: what is refused has cost no memory.
  if (lengthOf(note.sections) + count * Math.max(0, to.length - from.length) > lengthMax)
    throw new EditRefusal('With this the note would grow to more than twice its length.')
  return changeSections(note, scope, (section) => ({
    ...section,
    sentences: section.sentences.map((sentence): JudgedSentence => {
      const places = findLiteral(sentence.text, from)
      if (places.length === 0) return sentence
      const text = replacePlaces(sentence.text, places, (place) => fitCase(sentence.text, place, from, to))
      return { ...sentence, text, judgement: 'clinicians_words', reason: null }
    }),
  }))
}

/** In one walk: a sentence that is pasted together anew for each place costs the square of its length. */
function replacePlaces(
  text: string,
  places: readonly MentionSpan[],
  put: (place: MentionSpan) => string,
): string {
  const parts: string[] = []
  let from = 0
  for (const place of places) {
    parts.push(text.slice(from, place.start), put(place))
    from = place.end
  }
  return parts.join('') + text.slice(from)
}

const isCapitalized = (words: string): boolean => /^\p{Lu}\p{Ll}/u.test(words)
const beginsSentence = (text: string, start: number): boolean =>
  start === 0 || /(?:[.!?:]\s|[“"])$/.test(text.slice(Math.max(0, start - 2), start))

/**
 * "Client" becomes "Patient" where the instruction says "client" and "patient". Words that the clinician typed with a
 * capital may be a name, which "her brother" replaces as it is, unless a sentence begins there; nor is "PTSD" capitalized.
 */
function fitCase(text: string, { start, end }: MentionSpan, from: string, to: string): string {
  const mayBeName = isCapitalized(from.trim())
  if (!isCapitalized(text.slice(start, end)) || (mayBeName && !beginsSentence(text, start))) return to
  return to.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}

export const lengthOf = (sections: readonly EditableSection[]): number =>
  sections.reduce(
    (sum, { sentences }) => sum + sentences.reduce((all, { text }) => all + text.length + 1, 0),
    0,
  )
