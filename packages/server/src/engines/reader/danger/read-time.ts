import type { DangerElement, Time } from '../reading.js'

const longAgo =
  /\b(?:when (?:i|he|she|they|you|we) (?:was|were) (?:a |an |in |about |like |around |maybe |just )*(?:\d+|kid|kids|child|little|young\w*|teen\w*|small|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|ten|eleven|six|seven|eight|nine|five|high school|college|school|middle|the (?:army|navy|service|marines))|at (?:age )?(?:\d\d?|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty(?:[- ]\w+)?)\b(?! (?:o'clock|at night|in the))|back (?:in|then|when)|in (?:(?:\w+ )?grade|college|high school|middle school|my (?:teens|twenties|thirties|childhood|first marriage)|(?:19|20)\d\d|nineteen \w+|two thousand|twenty (?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|one|two|three|four|five)|the (?:past|nineties|eighties|seventies|sixties|army|service|spring|summer|fall|winter|marriage))|years? ago|months ago|decades ago|(?:a )?long time ago|used to|as a (?:kid|teen\w*|child|boy|girl|baby)|(?<!the )last (?:year|spring|summer|fall|winter|autumn)|in the past(?! (?:week|month|few|two|year|couple))|growing up|before (?:i|we|you) (?:met|moved|got (?:sober|married)|had|came)|years back|way back|once,? (?:a|in|when|years)|my ex(?:-| )?(?:husband|wife|boyfriend|girlfriend|partner)? (?:used|would|did)|(?:since|until) (?:19|20)\d\d|after (?:college|the divorce|the war|high school|my divorce|the second baby|he was born|she was born))\b/
const now =
  /\b(?:now|still|today|tonight|these days|lately|currently|at the moment|this (?:week|morning|weekend|month|afternoon|time)|yesterday|last (?:night|week|weekend|friday|saturday|sunday|monday|tuesday|wednesday|thursday)|(?:a (?:few|couple of)|two|three|four|five|\d) (?:days|nights|weeks) ago|again|every (?:day|night|week)|all the time|keeps?|recently|anymore|right now|since (?:the|my|he|she|we|last|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b/
const everAsked = /\b(?:ever|past|previous|prior|before|history of|in your life)\b/
const deniedNow =
  /\b(?:not (?:now|anymore|any more|lately|today|these days|currently|since|for (?:years|a while|months|a long time))|n't (?:\w+ )?(?:anymore|since|lately|now)|never since|nothing since|none since|no longer|not any longer)\b/

/** When it was, so far as the words say; what is not said to be over is taken as present. */
export const readTime = (words: string, question: string | null, element: DangerElement): Time => {
  if (longAgo.test(words)) return now.test(words) && !deniedNow.test(words) ? 'present' : 'past'
  if (now.test(words) && !deniedNow.test(words)) return 'present'
  if (element === 'attempt')
    return question !== null && !everAsked.test(question) && now.test(question) ? 'present' : 'past'
  if (question === null) return 'present'
  if (longAgo.test(question) && !now.test(question)) return 'past'
  return 'present'
}

/** "Not now", "not since the spring": it was, and is no longer. */
export const isOverNow = (words: string): boolean => deniedNow.test(words)
export const tellsOfThen = (words: string): boolean =>
  longAgo.test(words) ||
  /\b(?:in (?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:i|it) (?:did|was|had))\b/.test(
    words,
  )
