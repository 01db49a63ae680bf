import { expandContractions } from '../../text/expand-contractions.js'
import { nameClinician, shiftSecondPerson } from '../../text/shift-person.js'
import { lowerFirst } from '../../text/report-speech.js'

const day = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)'
const ordinal =
  '(?:\\d+(?:st|nd|rd|th)|(?:(?:twenty|thirty)[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)'
const number =
  '(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|couple of|few|the|\\d+)'
const lead =
  '^(?:(?:and|so|great|good|okay|then|alright|all right|perfect|let us (?:say|see|do)|let us)[,. ]+)*'

const seen = new RegExp(
  `${lead}(?:I will |we will |I would like to |I can |I want to )?(?:see|come see) (?:you|me|each other|both participants)(?: both| all)?(?: back| again)? (?<when>.+)$`,
  'i',
)
const together =
  /^(?:(?:so|and|okay|then)[, ]+)*(?:let us|we will|we can) meet (?:again )?(?<when>(?:in|on|next|back|same)\b[^,]+(?:, on [^,]+)?)(?:,.*)?$/i

const named = new RegExp(
  `${lead}(?<visit>(?:our next (?:one|session|appointment)|next (?:one|session|appointment|visit)|follow up in).*)$`,
  'i',
)
const onDay = new RegExp(
  `${lead}(?:(?:we are|we will be|you are) (?:on|set|good) for |I have (?:got )?you (?:down )?(?:for )?|(?:our )?next (?:time|one|session|appointment|visit) is |we (?:will )?meet |(?:come )?(?=back in ))?(?<when>(?:same time(?:,? in ${number} weeks?| (?:next )?(?:week|${day}|on \\w+))?|(?:next |this coming |on )?${day}(?:,? (?:the ${ordinal}|the \\w+(?: \\w+)?|at (?:\\w+)(?: (?:thirty|fifteen|a\\.?m\\.?|p\\.?m\\.?|o'clock))?|\\w+ thirty|morning|afternoon)){0,2}|${number} weeks from (?:now|today)(?:,? the ${ordinal})?(?:,? at \\w+(?: thirty| fifteen)?)?|back in ${number} (?:days?|weeks?|months?)|(?:on )?the ${ordinal}(?: of \\w+)?(?: at \\w+)?|in ${number} (?:weeks?|months?))(?:,? by (?:phone|video))?)(?:,? (?:then|okay|and [^,]+|since .+|because .+|I am (?:away|out|off|gone)\\b.*))?$`,
  'i',
)

const tidy = (when: string): string =>
  nameClinician(shiftSecondPerson(lowerFirst(when)))
    .replace(/^(?:Next|Same|On|In|This)\b/, (word) => word.toLowerCase())
    .replace(/,? (?:then|okay)$/i, '')
    .replace(/^back (?=in )/i, '')

/** The next appointment, if a sentence sets one; contractions expanded. */
export const readNextVisit = (text: string): string | null => {
  const when = seen.exec(text)?.groups?.['when']
  if (when !== undefined && !/^(?:later|soon|then|that|it)\b/i.test(when))
    return `next appointment ${tidy(when)}`
  const set = together.exec(text)?.groups?.['when'] ?? onDay.exec(text)?.groups?.['when']
  if (set !== undefined) return `next appointment ${tidy(set)}`
  const visit = named.exec(text)?.groups?.['visit']
  return visit === undefined ? null : nameClinician(shiftSecondPerson(lowerFirst(visit)))
}

/** "Same time next Thursday?" sets one as well. */
export const readVisitQuestion = (clean: string): string | null =>
  readNextVisit(expandContractions(clean).replace(/[?.!\s]+$/, ''))
