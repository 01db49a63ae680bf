import type { Reader } from '../statement/clinician-wording.js'

/** "The crisis line is nine eight eight, and ours is on this card": a number that is given stands in the plan. */
export const readCrisisLine: Reader = (text) => {
  const parts =
    /^(?:the|our|your|a) (?<line>(?:[a-z]+ )?(?:crisis|suicide|support|emergency) (?:line|text line|number|lifeline)|hotline|lifeline) is (?<number>(?:at )?(?:\d[\d -]+\d|(?:(?:zero|one|two|three|four|five|six|seven|eight|nine)[ -]?){3,}))/i.exec(
      text,
    )?.groups
  return parts === undefined
    ? null
    : { kind: 'plan', text: `${parts['line'] ?? ''}: ${(parts['number'] ?? '').trim()}` }
}
