import { countWords } from '../../text/tokenize-words.js'
import { EditRefusal, type RemoveEdit } from './edit.js'
import { changeSections, type EditableNote } from './editable-note.js'
import { findMention } from './find-mention.js'

/** Sentences that speak of a mention go; where it only ends a sentence that says something else too, that end goes. */
export function removeMention(note: EditableNote, edit: RemoveEdit): EditableNote {
  return edit.mentions.reduce((current, mention) => removeOne(current, edit, mention), note)
}

function removeOne(
  note: EditableNote,
  { scope, isWholeSentence }: RemoveEdit,
  mention: string,
): EditableNote {
  let isFound = false
  const changed = changeSections(note, scope, (section) => ({
    ...section,
    sentences: section.sentences.flatMap((sentence) => {
      const span = findMention(sentence.text, mention)
      if (span === null) return [sentence]
      isFound = true
      const rest = isWholeSentence ? null : cutEnd(sentence.text, mention)
      return rest === null ? [] : [{ ...sentence, text: rest }]
    }),
  }))
  if (!isFound)
    throw new EditRefusal(
      `Nothing about “${mention}” stands in ${scope === null ? 'the note' : 'that section'}.`,
    )
  return changed
}

/** Where a sentence can end without losing its sense: what follows adds to it, and does not complete it. */
const joints =
  /;\s|,?\s+(?:and|but|as well as|because of|due to|including|along with|although|though|while|which)\s+/gi

/** Below this, what is left would be a stump. */
const wordsLeftMin = 4

function cutEnd(text: string, mention: string): string | null {
  if (/\b(?:between|both|either|neither)\b/i.test(text)) return null
  const stop = /[.!?]["”’')]*$/.exec(text)?.[0] ?? ''
  for (const joint of text.matchAll(joints)) {
    const kept = text.slice(0, joint.index).replace(/[,;\s]+$/, '')
    if (findMention(kept, mention) !== null) return null
    const isLast = !text.slice(joint.index + joint[0].length).match(joints)
    // Only the last part may go: what follows it would lose its place.
    if (isLast && countWords(kept) >= wordsLeftMin && !endsOpen(kept)) return `${kept}${stop}`
  }
  return null
}

/** "not", "to", "with": a sentence does not end with them. */
const endsOpen = (text: string) =>
  /\b(?:not|no|to|with|of|for|in|on|at|by|a|an|the|her|his|their|and|or|that|from|about|denies|denied|reports|reported)$/i.test(
    text,
  )
