import { findMedications } from '../../../lexicon/medications.js'
import { EditRefusal } from './edit.js'
import type { EditableNote, EditableSentence } from './editable-note.js'
import { findMention } from './find-mention.js'
import { listSectionNames } from './name-sections.js'

export const risk =
  /suicid|\bSI\b|\bHI\b|self[- ]?harm|homicid|kill|overdose|attempt|safety|crisis|988|911|abuse|violen|weapon|firearm|\bgun|hurt (?:him|her|them)sel|\brisk|hallucinat|voices|allerg|not (?:be )?(?:alive|here)|better off dead|not assessed|clinician review/i

export const appointment = /\b(?:next (?:appointment|session|visit)|follow[- ]?up (?:in|on)|meet again)\b/i

/** What somebody is to do until the next session: notes name the task, and seldom the word. */
const homework =
  /\b(?:homework|worksheets?|journal\w*|(?:thought|sleep|mood|food) (?:records?|logs?|diar(?:y|ies))|diary|practi[cs]\w+|assign\w*|between sessions|write (?:it |them |this )?down|(?:client|patient|participants|they|he|she|and) (?:will|to|is to|are to|plans? to|planned to|agree[sd]? to|was (?:asked|encouraged|advised) to|intends? to))\b/i

/** In a plan, what is done at such times is a task too: "One walk to the library this week." */
const untilNextTime =
  /\b(?:this week|for (?:the|next) week|(?:every|each|once a) (?:\w+ )?(?:day|morning|evening|night)|daily|tonight|tomorrow)\b/i

/** What clinicians name in one word and a note says in many. Wider than what may be removed: too much kept does no harm. */
const topics: readonly (readonly [RegExp, (text: string, section: string) => boolean])[] = [
  [
    /^(?:the )?(?:\w+ )?(?:homework|assignments?|tasks?)$/i,
    (text, section) => homework.test(text) || (section === 'plan' && untilNextTime.test(text)),
  ],
  [/^(?:the )?(?:risk|safety)\b/i, (text) => risk.test(text)],
  [/^(?:the |next )*(?:appointment|visit|session|follow[- ]?up)s?$/i, (text) => appointment.test(text)],
  [/^(?:the )?(?:medications?|meds|medicines?)$/i, (text) => findMedications(text).length > 0],
]

export type IsKept = (section: string, sentence: EditableSentence) => boolean

/** A section by its name, else every sentence that speaks of it. */
function makeIsKept({ noteType }: EditableNote, mention: string): IsKept {
  const named = mention.toLowerCase().replace(/^the /, '')
  const key = listSectionNames(noteType).find(({ name }) => name === named)?.key
  const speaksOf = topics.find(([topic]) => topic.test(mention))?.[1]
  return (section, { text }) =>
    section === key || findMention(text, mention) !== null || speaksOf?.(text, section) === true
}

export const isAnyKept =
  (note: EditableNote, mentions: readonly string[]): IsKept =>
  (section, sentence) =>
    mentions.some((mention) => makeIsKept(note, mention)(section, sentence))

/** Each thing to keep stands in the note; one that does not is not passed over in silence. */
export function requireKept(note: EditableNote, mentions: readonly string[]): void {
  for (const mention of mentions) {
    const isKept = makeIsKept(note, mention)
    const isThere = note.sections.some(({ key, sentences }) => sentences.some((one) => isKept(key, one)))
    if (!isThere) {
      throw new EditRefusal(`Nothing about “${mention}” stands in the note, so it cannot be kept.`)
    }
  }
}
