import { ofClient, type Reader } from '../statement/clinician-wording.js'

const occasion =
  /^(?:you have(?: got)?|there is|we have(?: got)?) (?<what>(?:the|an?|your|that) [^,]{3,60}?)(?: coming up)?,? (?:and |so |then )+(?<when>next (?:time|week|session|visit)|then)?,? ?we (?:will|can|should) (?<act>plan(?: for)?|prepare(?: for)?|talk about|work on|go over|practice|rehearse|look at|walk through) (?:that one|this one|that|it|this)\b(?<how>[^.]*)$/i

/** "You've got the party on the twelfth, so next time we'll plan that one": what is to be planned was just named. */
export const readOccasion: Reader = (text) => {
  const { what, when, act, how = '' } = occasion.exec(text)?.groups ?? {}
  if (what === undefined || act === undefined) return null
  return {
    kind: 'plan',
    text: `plan: ${ofClient(`${when === undefined ? '' : `${when.toLowerCase()}, `}${act.toLowerCase()} ${what}${how}`)}`,
  }
}
