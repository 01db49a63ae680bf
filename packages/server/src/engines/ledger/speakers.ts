import { isAccountItem, type TranscriptItem } from '@casenote/contract'
import type { Finding } from '../reader/reading.js'

/** In a room with several people besides the clinician: who said what. Else "the client" is who it is. */
export interface Room {
  /** Who said the words of a finding; null where nobody can say. */
  speakerOf(finding: Finding): string | null
  speaks(speaker: string, items: readonly number[]): boolean
}

/** Null: at most one person besides the clinician spoke, or nobody was recorded. */
export const readRoom = (transcript: readonly TranscriptItem[]): Room | null => {
  const people = new Set<string>()
  for (const { speaker, source } of transcript)
    if (!isAccountItem({ source }) && speaker !== 'clinician') people.add(speaker)
  if (people.size < 2) return null
  const nameOf = (item: number): string | null => {
    const speaker = transcript[item]?.speaker
    return speaker === undefined || !people.has(speaker) ? null : speaker
  }
  return {
    speakerOf: ({ items, words }) => {
      const place = items.findLast(
        (item) => nameOf(item) !== null && transcript[item]?.transcript.includes(words) === true,
      )
      return place === undefined ? null : nameOf(place)
    },
    speaks: (speaker, items) => items.some((item) => nameOf(item) === speaker),
  }
}

/** "Both partners deny", "neither reports": of each of them. "Ann denies it, and both report a long week" is of Ann. */
export const namesEveryone = (text: string): boolean => {
  const everyone = everyoneTells.exec(text)
  return everyone !== null && !tells.test(text.slice(0, everyone.index))
}

const everyoneTells =
  /\b(?:both|neither|each|either)(?: of (?:them|the \w{1,20}))?(?: (?:partner|client|spouse|parent|person|people|member)s?)?(?: (?:also|again|plainly|clearly|currently))? (?:den|report|stat|endors|disclos|affirm|acknowledg|express)\w*/i
const tells =
  /\b(?:den(?:y|ie[sd])|report|stat(?:es?|ed)\b|endors|disclos|affirm|acknowledg|express|sa(?:id|ys)\b)/i
