import type { Scope } from './edit.js'
import { changeTexts, outsideQuotes, type EditableNote } from './editable-note.js'

/** "client" or "patient" for the person, in all forms. Adjectives ("was patient") and quotes are left alone. */
export const changeWording = (note: EditableNote, scope: Scope, to: 'client' | 'patient'): EditableNote => {
  const from = to === 'client' ? 'patient' : 'client'
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}-])${from}(?=s?(?:['’]s?)?(?![\p{L}\p{N}-]))`, 'giu')
  return changeTexts(note, scope, (text) =>
    outsideQuotes(text, (part) =>
      part.replace(pattern, (word, at: number) =>
        from === 'patient' && isAdjective(part, at, word) ? word : matchCase(word, to),
      ),
    ),
  )
}

/** "was patient with her son", "to be more patient": no person is meant. */
function isAdjective(text: string, at: number, word: string): boolean {
  if (/^s?['’]|^s/.test(text.slice(at + word.length))) return false
  return /\b(?:be|been|being|is|was|were|are|am|more|very|less|too|so|quite|remain(?:s|ed)?|stay(?:s|ed)?|feel(?:s|ing)?|become|became) $/i.test(
    text.slice(0, at),
  )
}

function matchCase(like: string, word: string): string {
  if (like === like.toUpperCase()) return word.toUpperCase()
  return /^\p{Lu}/u.test(like) ? word.charAt(0).toUpperCase() + word.slice(1) : word
}
