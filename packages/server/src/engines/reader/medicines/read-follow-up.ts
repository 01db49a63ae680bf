import type { MedicineStatus } from '../reading.js'
import type { Role } from '../talk/read-talk.js'

const it = '(?:it|that|that one|this one|them|those|that stuff)'
const stops = new RegExp(
  `\\b(?:stop(?:ped|ping)?|quit|flushed|tossed|ditched|dropped|came off|come off|went off|go off|going off|ran out of|run out of|given up(?: on)?|gave up(?: on)?)(?: taking)? ${it}\\b|\\b(?:giv(?:en|ing)|gave) ${it} up\\b|\\b(?:not|n't|haven't|never) (?:been )?(?:really )?(?:tak(?:e|en|ing)|touch\\w*|us(?:e|ed|ing)) ${it}\\b|\\b(?:take|took|taking|get|got|getting) (?:you|me|him|her) off (?:of )?${it}\\b|\\bwe(?:'ll)? stop ${it}\\b`,
)
const declines = new RegExp(
  `\\b(?:told (?:her|him|them|you) no|said no\\b|no,? thank(?:s| you)|turned ${it} down|(?:don't|didn't|do not) want (?:to (?:take|try|go on|be on|start) )?${it}|never (?:took|filled|picked up|started|tried) ${it}|i was like,? (?:no|nah)|absolutely not\\b)`,
)
const keeps = new RegExp(
  `\\b(?:keep|leave|continue|stick with|stay on|stay with)(?: taking| with| you on| on)? ${it}\\b|\\bkeep (?:on|going) with ${it}\\b|\\b(?:no change there|same dose)\\b`,
)

/** "I've given it up", "I told her no", "let's leave it": what becomes of the medicine just named, said without its name. */
export const readFollowUp = (plain: string, role: Role, asks: boolean): MedicineStatus | null => {
  if (asks) return null
  if (role !== 'clinician' && declines.test(plain)) return 'declined'
  if (stops.test(plain)) return 'stopped'
  return role === 'clinician' && keeps.test(plain) ? 'kept' : null
}
