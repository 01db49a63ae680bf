export type Answer = 'yes' | 'no' | 'unclear' | 'other'

/** What may stand before an answer. */
export const answerFiller =
  '^(?:\\W|um+|uh+|oh|ah|god|gosh|heavens|lord|jeez|well|ha|honestly|hmm+|like|so|okay,?(?= (?:no|yes|yeah)))*'

/** Neither yes nor no, and not to be read as either (clinical rule table: "not really" is unclear). */
const evasive = new RegExp(
  `${answerFiller}(?:not really|not exactly|not particularly|kind of|kinda|sort of|sorta|i don't know|i dunno|hard to say|i guess|i mean,? (?:who|you)|no comment|next question|does it matter|what do you mean|\\[|i'm not not|i am not not|maybe\\W*$|maybe,? (?:i|who|not|we)\\b)`,
  'i',
)
const takenBack = /\b(?:i'm (?:just )?(?:kidding|joking)|just kidding|lol)\b/i
const no = new RegExp(
  `${answerFiller}(?:no\\b|nope|nah|never\\b|not at all|none\\b|nothing\\b|not since|not anymore|not lately|not this|not today|not in|i (?:don't|do not)(?! (?:mind|care))|i haven't|i have not|i'm not|i am not|i didn't|i did not|i would never|i (?:wouldn't|would not)(?! (?:mind|care|say no))|absolutely not|definitely not|of course not)`,
  'i',
)
const yes = new RegExp(
  `${answerFiller}(?:yes\\b|yeah|yep|yup|uh.?huh|mhm|sure|definitely|absolutely|i do\\b|i have\\b|i am\\b|i did\\b|sometimes|always|usually|mostly|a little|a bit|of course|correct|exactly|okay|ok\\b|that's right)`,
  'i',
)

export const readAnswer = (text: string): Answer => {
  const plain = text.replaceAll('’', "'")
  if (evasive.test(plain) || takenBack.test(plain)) return 'unclear'
  if (no.test(plain) && /\bbut not (?:since|now|anymore|lately|in)\b|\bbut (?:me,? )?no\W*$/i.test(plain))
    return 'no'
  if (no.test(plain)) return /\bbut\b|\bexcept\b|\balthough\b|\bnot anymore\b/i.test(plain) ? 'unclear' : 'no'
  if (yes.test(plain)) return 'yes'
  return /^(?:[\w']+,? ){1,4}(?:yeah|yes|sometimes)\b/i.test(plain) ? 'yes' : 'other'
}

/** A "no" that stands before a noun is no answer word: "No heart problems" must not lose it. */
const answerWord =
  /^(?:\W|um+|uh+|oh|god|well)*(?:(?:(?:no|nope|nah)(?=[\s]*(?:[,.!;—-]|$))|(?:yes|yeah|yep|yup|sure|okay|ok|definitely|absolutely|exactly|correct)\b)[\s,.!;—-]*)+/i

/** The answer without its yes or no: "Yeah, every morning" → "every morning". */
export const withoutAnswerWord = (text: string): string => text.replace(answerWord, '').trim()
