import type { Scope } from './edit.js'
import { changeSections, type EditableNote } from './editable-note.js'

/** One sentence on each line, or all of them in one paragraph. No word changes. */
export const changeLayout = (
  note: EditableNote,
  scope: Scope,
  layout: 'paragraph' | 'bullets',
): EditableNote =>
  changeSections(note, scope, (section) => {
    if (section.sentences.length === 0) return null
    const sentences = section.sentences.map((sentence) => ({
      ...sentence,
      text: sentence.text.replace(/^\s*[-•*–]\s+/, ''),
      startsParagraph: false,
    }))
    if (section.layout === layout) return section.sentences.some(isDashed) ? { ...section, sentences } : null
    return { ...section, layout, sentences: layout === 'paragraph' ? sentences.map(endSentence) : sentences }
  })

const isDashed = ({ text }: { text: string }) => /^\s*[-•*–]\s+/.test(text)

/** A bullet may do without a full stop, a sentence in a paragraph may not. */
const endSentence = <Sentence extends { text: string }>(sentence: Sentence): Sentence =>
  /[.!?…:;]["”’')\]]*$/.test(sentence.text) ? sentence : { ...sentence, text: `${sentence.text}.` }
