import type { ExactCheck } from './exact-check.js'
import type { Role } from './read-talk.js'

const lead =
  '^(?:(?:initially|later|earlier|also|today|additionally|in addition|at first|this session|when asked),? )?'
const saysOf =
  'reports?|reported|states?|stated|says|said|describes?|described|endorses?|endorsed|denie[sd]|shares?|shared|tells|told|recalls?|recalled|explains?|explained|asks?|asked|confirms?|confirmed'
const ofClient = new RegExp(
  `${lead}(?:the )?(?:client|patient) (?:also |then |further )?(?:${saysOf})\\b`,
  'i',
)
const ofClinician = new RegExp(
  `${lead}(?:the )?(?:clinician|provider|therapist|prescriber) (?:also |then |further )?(?:${saysOf})\\b`,
  'i',
)

/** Whose words a sentence says that it gives; null for nobody's in particular. */
export const claimedSpeaker = (text: string): Role | null => {
  const head = text.trimStart().slice(0, headLengthMax)
  if (ofClient.test(head)) return 'client'
  return ofClinician.test(head) ? 'clinician' : null
}

const headLengthMax = 120

/** One of the items, or one beside them that asks or answers, is by whom the sentence names; a voice that is not known may be. */
export const checkSpeaker: ExactCheck = (claim, talk) => {
  const wanted = claimedSpeaker(claim.text)
  if (wanted === null || claim.items.length === 0) return null
  return talk.around(claim.items, 1).some(({ role }) => role === wanted || role === 'unknown')
    ? null
    : { reason: 'speaker', part: wanted }
}
