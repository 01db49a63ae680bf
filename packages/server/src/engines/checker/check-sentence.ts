import type { Reading } from '../reader/reading.js'
import { checkDenials } from './check-denials.js'
import { checkDoses } from './check-doses.js'
import { checkItems } from './check-items.js'
import { checkMedicines } from './check-medicines.js'
import { checkNotAsked } from './check-not-asked.js'
import { checkNumbers } from './check-numbers.js'
import { checkQuotes } from './check-quotes.js'
import { checkSpeaker } from './check-speaker.js'
import type { ExactCheck, Fault } from './exact-check.js'
import { readClaim } from './read-claim.js'
import type { Talk } from './read-talk.js'

/** The gravest first: the first that finds something names the fault. */
const checks: readonly ExactCheck[] = [
  checkItems,
  checkNotAsked,
  checkDenials,
  checkMedicines,
  checkNumbers,
  checkDoses,
  checkQuotes,
  checkSpeaker,
]

export const checkSentence = (
  sentence: { text: string; transcriptItems: readonly number[]; isUpheld?: boolean },
  talk: Talk,
  reading: Reading,
): Fault | null => {
  const claim = readClaim(sentence)
  // Whether a number or a denial was said in another language no rule of English tells.
  if (reading.language !== undefined) return checkItems(claim, talk, reading)
  for (const check of checks) {
    const fault = check(claim, talk, reading)
    if (fault !== null) return fault
  }
  return null
}
