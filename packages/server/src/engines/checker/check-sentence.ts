import type { Reading } from '../reader/reading.js'
import type { RefusalReason } from '../writer/writer-engine.js'
import { checkDenials } from './check-denials.js'
import { checkDoses } from './check-doses.js'
import { checkItems } from './check-items.js'
import { checkMedicines } from './check-medicines.js'
import { checkNotAsked } from './check-not-asked.js'
import { checkNumbers } from './check-numbers.js'
import { checkQuotes } from './check-quotes.js'
import { checkSpeaker } from './check-speaker.js'
import type { ExactCheck } from './exact-check.js'
import { readClaim } from './read-claim.js'
import type { Talk } from './read-talk.js'

/** The gravest first: the first that finds something names the reason. */
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
  sentence: { text: string; transcriptItems: readonly number[] },
  talk: Talk,
  reading: Reading,
): RefusalReason => {
  const claim = readClaim(sentence.text, sentence.transcriptItems)
  for (const check of checks) {
    const reason = check(claim, talk, reading)
    if (reason !== null) return reason
  }
  return null
}
