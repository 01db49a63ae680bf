import { expandContractions } from '../../text/expand-contractions.js'
import { shiftSecondPerson } from '../../text/shift-person.js'

/**
 * An answer as clinicians write it down, with a word for what was asked: "Sleep: six hours." It takes fewer words than
 * telling who was asked, and claims no more than what was said of it.
 */
export const labelAnswer = (name: string, rest: string): string =>
  `${name.replace(/^(?:the|their|any|your) (?=[a-z])/i, '')}: ${rest.replace(/\b(\w+), (?=\1\b)/g, '').replace(numberWord, (word) => word.toLowerCase())}`

/** An answer of one word was heard as a sentence, with its capital. */
const numberWord = /^(?:Twenty|Thirty|Forty|Fifty|Sixty|Seventy|Eighty|Ninety)\b/

/** Whether a sentence has its label and nobody who says it. */
export const isLabelled = (text: string): boolean => /^(?!asked )[^:,;"]{2,50}: (?!client\b)/i.test(text)

const oftenOrWhen =
  /^(?:(?:about|maybe|only|mostly|like|almost|pretty much|probably) )*(?:all the time|all (?:day|night|week)|every \w+|most (?:days|nights|mornings|evenings|weekends|of the time)|(?:one|two|three|four|five|six|seven|eight|nine|ten|a few|a couple|several|\d+)(?: more)?(?: times| (?:days|nights|hours|weeks|months) (?:a|ago)\b.*)?(?=$|,)|in (?:(?:19|20)\d\d|(?:high|middle|grad) school|college)|when \w+ .+|since \w+)/i

/**
 * "Are you on guard a lot?" – "All the time.", "Is there a pattern?" – "When he yells.": neither a yes nor a no was said, and
 * what was asked about stands with how often or when. Null where it is not so, or where nobody knows what was meant.
 */
export const labelMatter = (matter: string, rest: string): string | null => {
  if (!oftenOrWhen.test(rest) || /\b(?:they|it|he|she) \w+/.test(rest.replace(/^when .*/i, ''))) return null
  const [head = ''] = matter.split(/, | or /)
  const name = head.replace(new RegExp(`,? ${rest.split(',')[0] ?? ''}$`, 'i'), '')
  return vague.test(name) || name === rest ? null : labelAnswer(name, rest)
}

/** Nobody's word for anything: what they mean stands elsewhere. */
const vague =
  /^(?:number|scale|thing|things|rest|other|one|ones|people|others|plan|idea|story|question|first|next|last|everything|all|from|since|after|before)\b|\b(?:it|them|that|this|those|these|there)\b/i

const asksHowItIs =
  /^(?:(?:and|so|okay|now|then|well|good|great|alright|all right)[, ]+)*(?:how(?:s| is| are| was| were| has| have)?|how about|what about) (?:the|your) (?<thing>[a-z]+(?: (?!been|going|doing|that|since|with|at|in|on|these|today|lately|now|holding|and|feeling|treating|look)[a-z]+)?)(?=$|[,?.;]| (?:been|going|doing|that|since|these|today|lately|now|holding)\b)/i

/** "What's the number now, when you picture it?", "Where are you, zero to ten?": a number of what is being done or pictured. */
const ratedLabel = (question: string): string | null => {
  const when = /\bthe number(?: now)?,? (?<when>when you [a-z ]+?)[?.\s]*$/i.exec(question)?.groups?.['when']
  if (when !== undefined) return `number ${shiftSecondPerson(when, { isNamed: true })}`
  const scale =
    /\bwhere (?:are you|is (?:it|that))(?: now| at)?,? (?:on a scale )?(?:from |of )?(?<scale>(?:zero|one) to (?:ten|a hundred))\b/i.exec(
      question,
    )?.groups?.['scale']
  return scale === undefined ? null : `rating from ${scale.toLowerCase()}`
}

/** What a question is about that asks how it is: "How's the back, any better?" */
export const findLabel = (question: string): string | null => {
  const rated = ratedLabel(expandContractions(question))
  if (rated !== null) return rated
  const thing = asksHowItIs.exec(expandContractions(question))?.groups?.['thing']
  return thing === undefined || vague.test(thing) ? null : thing.toLowerCase()
}

const number = (name: string): string =>
  `(?:an? )?(?<${name}>zero|one|two|three|four|five|six|seven|eight|nine|ten|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|a hundred|\\d+)`

const nowAndBefore = new RegExp(
  `(?<=, |: )(?:it is (?:now )?)?${number('now')}(?: now)?[;,] (?:it )?was (?:like |at )?${number('before')}(?: before)?(?=$|;)`,
  'i',
)

/** "Energy: a five; it was a two" → "Energy: five (was two)". */
export const joinNowAndBefore = (text: string): string =>
  isLabelled(text) ? text.replace(nowAndBefore, '$<now> (was $<before>)') : text
