import { answerFiller, readAnswer, type Answer } from '../talk/read-answer.js'
import { doubled, wishesNotToLive, type RiskElement } from '../talk/risk-words.js'

const starts = (pattern: string): RegExp => new RegExp(`${answerFiller}(?:${pattern})`, 'i')

/** A "no" with nothing behind it that belongs to it: "No more than usual" and "No one would notice" are none. */
const plainNo = starts(
  "(?:no|nope|nah|never|none|not at all|absolutely not|definitely not|of course not)(?=\\s*(?:[,.!;—-]|$)| (?:ma'am|sir|not|never|none|nothing|no|i|i'm|i've|of (?:that|those|them)|(?:\\w+ )?(?:thoughts?|plans?|intent\\w*|urges?|guns?|firearms?|weapons?|attempts?)|have|had|would|thought|at all)\\b)|nothing(?: like that| at all)?(?=\\s*(?:[,.!;—-]|$))",
)

/** The thing itself is denied, and not only the strength or the will for it. */
const ownDenial = starts(
  "i(?:'ve| have|'d| would| do| am| did|'m)?(?:n't| not| never)(?: ever| even| also)? (?:have|had|think(?! so)|thought|thinking|having|feel|felt|own|keep|been|done|suicidal|hurt|harm|kill|plan|planning|intend|do (?:that|it|anything)|want(?:ed)? to (?:die|be dead|hurt|kill|harm|do|act))\\b(?! the (?:energy|nerve|guts|courage|strength))",
)
const ownIntent = starts("i(?:'m| am) not going to (?:do|act|hurt|kill|go)\\b")

/** Said behind a denial, these take it back. */
const takesBack =
  /\b(?:sometimes|than usual|kind of|sort of|cross(?:es|ed) my mind|i think about (?:it|that|dying)|(?:i've|i have) thought about|i (?:did|do|have)(?=[,.!;]|$))/i

/** "Some nights." says how often, and so that it is. */
export const howOften = starts(
  '(?:some|most|every|many|a few|once|twice)(?: \\w+){0,3} (?:times|days|nights|evenings|mornings|weeks?|months?|while)(?=[.,!;]|$)',
)

/** "I have days", "Sometimes I think they'd manage", "I see a knife sometimes": begins like a yes, and says something else. */
const ownMatter = starts(
  "sometimes,? i (?!do\\b|have\\b)|(?!i )(?:[\\w']+,? ){1,4}sometimes\\b|i (?!do\\b|have\\b|am\\b|did\\b)(?:[\\w']+,? ){1,3}sometimes\\b|i (?:do|have|am|did)(?! (?:think|thought|had|felt|feel|get|have|still|sometimes|wish\\w*|suicidal)\\b)\\s+[a-z]",
)

/** "No. I'm sad but I want to be here.": what stands behind the "but" is the denial once more. */
const wantsToLive = /^[^.]*[.!] .*\bI (?:do |really |still )*want to (?:be here|live|be alive|stay alive)\b/i

/**
 * What an answer to a question about danger says. It is no denial unless it is a plain one: what only begins like one
 * ("I don't have the energy", "Nothing matters", "Not since Tuesday") is for the clinician to read.
 */
export const readRiskAnswer = (said: string, element: RiskElement): Answer => {
  if (doubled.test(said)) return 'unclear'
  const plain = said.replaceAll('’', "'")
  if (howOften.test(plain)) return 'yes'
  const read = plainNo.test(plain) && wantsToLive.test(plain) ? 'no' : readAnswer(said)
  const answer = read === 'yes' && ownMatter.test(plain) ? 'other' : read
  if (answer !== 'no') return answer
  const isPlain =
    plainNo.test(plain) ||
    ownDenial.test(plain) ||
    ((element === 'intent' || element === 'plan') && ownIntent.test(plain))
  if (wishesNotToLive.test(plain)) return plainNo.test(plain) ? 'unclear' : 'other'
  return isPlain && !takesBack.test(plain) ? 'no' : 'unclear'
}
