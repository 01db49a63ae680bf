import type { SigningCheckCode } from '@casenote/contract'

const count = (number: number, one: string, many: string): string =>
  number === 1 ? `1 ${one}` : `${number} ${many}`

const words: Readonly<Record<SigningCheckCode, (total: number) => string>> = {
  danger_not_written: (total) =>
    `${count(total, 'thing that was said about danger is', 'things that were said about danger are')} not in the note.`,
  unsupported_sentence: (total) =>
    `${count(total, 'sentence is', 'sentences are')} not borne out by the session.`,
  empty_section: (total) => `${count(total, 'section is', 'sections are')} empty.`,
  cloned_text: (total) =>
    `${count(total, 'sentence stands', 'sentences stand')} in the client’s last signed note as well.`,
  goal_not_linked: () => 'The note speaks to none of the goals.',
  service_minutes: () => 'The length of the session does not fit its service code.',
}

/** A plain sentence, without a word of the note. */
export const wordCheck = (code: SigningCheckCode, total: number): string => words[code](total)
