const when =
  "at (?:night|bedtime|bed time|breakfast|lunch|dinner|supper|noon)|before (?:bed|bedtime|meals|breakfast|sleep)|in the (?:morning|evening|afternoon)|every (?:morning|night|evening|day|other day|\\w+ (?:hours|weeks|months)|week|month|four weeks|bedtime)|each (?:morning|night|day|evening)|nightly|daily|once (?:a|per) (?:day|week|month|night)|(?:twice|two times|three times|four times|once or twice) (?:a|per) (?:day|week)|twice daily|once daily|three times daily|(?:one|two|three|half|1|2|3) (?:a|per) (?:day|night)|weekly|monthly|as needed|p\\.?r\\.?n\\.?|when (?:i|you) need (?:it|them)|with (?:food|breakfast|dinner|lunch|meals)|on an empty stomach|when i (?:feel|get|remember|can't sleep)|mornings|nights|first thing|b\\.?i\\.?d\\.?|q\\.?h\\.?s\\.?|on weekends|only (?:at night|in the morning|on weekends)"
const howMuch =
  '(?:half (?:a |of a |the )?(?:tablet|pill|of (?:a|one|the)|tab)|a half|one (?:tablet|pill|capsule)|two (?:tablets|pills|capsules|puffs)|(?:one|two|three|half|1|2|3)(?= (?:in the|at (?:night|bed)|every|before|with)))'
const pattern = new RegExp(
  `\\b(?:${howMuch}(?:,? (?:${when}))?|${when})(?:(?: and|,| or)(?: (?:one|two|half|half a|again))? (?:${when}))?`,
  'i',
)

/** How a medicine is taken, in the words that were said; null where nothing is. */
export const readUse = (text: string): string | null => pattern.exec(text)?.[0].toLowerCase() ?? null
