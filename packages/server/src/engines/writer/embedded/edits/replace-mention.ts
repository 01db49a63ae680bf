import { EditRefusal, type Scope } from './edit.js'
import { capitalize, changeTexts, type EditableNote } from './editable-note.js'
import { findLiteral } from './find-mention.js'

/** As it is written, everywhere in scope, quotes included: the clinician asks for these very words. */
export function replaceMention(
  note: EditableNote,
  scope: Scope,
  { from, to }: { from: string; to: string },
): EditableNote {
  let isFound = false
  const changed = changeTexts(note, scope, (text) => {
    const places = findLiteral(text, from)
    if (places.length > 0) isFound = true
    return places.toReversed().reduce((result, { start, end }) => {
      const isShouted = /^\P{Ll}*\p{Lu}\P{Ll}*$/u.test(text.slice(start, end)) && end - start > 3
      const replaced = result.slice(0, start) + (isShouted ? to.toUpperCase() : to) + result.slice(end)
      return start === 0 ? capitalize(replaced) : replaced
    }, text)
  })
  if (!isFound) throw new EditRefusal(`“${from}” does not stand in the note.`)
  return changed
}
