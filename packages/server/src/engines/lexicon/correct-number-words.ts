import type { TermCorrection } from './correct-instruments.js'

/** What is counted and never follows a bare "to": "to hours" was "two hours". */
const units =
  'hours|minutes|days|nights|weeks|months|years|times|milligrams|tablets|pills|capsules|doses|drinks|beers|glasses|cups|cigarettes'

/** Before these words a "to" belongs to what was said: "due to hours", "from days to weeks", "used to nights". */
const before =
  'take|takes|taking|took|try|tries|trying|every|last|past|next|about|around|maybe|only|just|had|have|having|for|sleep|sleeping|slept|missed|skipped|drink|drinking|drank|smoke|smoking|least|another|other|first|milligrams|mg|bedtime|in'

/** Of "to", "too" and "two" the sound is the same; only the words on both sides tell which it was. */
const misheard = new RegExp(
  `(?<=(?:^|[.,;:?!] |\\b(?:${before}) (?:the )?))too?(?= (?:${units})\\b(?! (?:of|and) (?:operation|work)\\b))`,
  'gi',
)

/** Puts back a "two" before what is counted. No other number is: "for weeks" is as good English as "four weeks". */
export function correctNumberWords(text: string, corrections: TermCorrection[]): string {
  return text.replaceAll(misheard, (heard: string) => {
    const corrected = heard.startsWith('T') ? 'Two' : 'two'
    corrections.push({ heard, corrected })
    return corrected
  })
}
