/** `other`: it says something, but neither yes nor no. */
export type Answer = 'yes' | 'no' | 'unclear' | 'other'

/* All of them read a turn in lower case with straight apostrophes. */

/** What may stand before an answer. Single tokens, so that nothing is read twice. */
const filler =
  '^(?:\\W|(?:um+|uh+|oh|ah|god|gosh|heavens|lord|jeez|well|ha|honestly|hmm+|like|so|good|goodness|gracious|hell|heck|christ|jesus|honey|sweetheart|my|me|mine|man|doc|doctor|look|i mean)\\b)*'
const starts = (pattern: string): RegExp => new RegExp(`${filler}(?:${pattern})`)

/** Neither yes nor no, and not to be read as either: "not really" is unclear (docs/clinical/note-types.md 5). */
const evades = starts(
  "not really|not exactly|not particularly|not quite|kind of|kinda|sort of|sorta|i don't know|i dunno|dunno|idk|not sure|i'm not sure|hard to say|i guess|who knows|no comment|next question|does it matter|what do you mean|i'm not not|i am not not|maybe|perhaps|possibly|depends|it depends|define|only on|i couldn't say|can we (?:skip|not|move)|i'd rather not|let's (?:skip|move on|not)",
)
const takesBackAll =
  /\b(?:i'm (?:just )?(?:kidding|joking)|just kidding|never say never|not not|can we skip|you tell me)\b/
const plainNo = starts(
  "(?:no|nope|nah|naw|never|none|neither|not at all|absolutely not|definitely not|of course not|god no|nothing)(?=\\s*(?:[,.!?;:—…-]|$)| (?:ma'am|sir|not|never|none|nothing|no|i|i'm|i've|i'd|that|that's|it|it's|he|she|they|we|you|my|just|because|more|one|way|doctor|doc|man|and|of (?:that|those|them|it)|like that|at all|since|thoughts?|plans?|intent\\w*|urges?|guns?|firearms?|weapons?|attempts?|voices|\\w+ (?:thoughts?|plans?|urges?)|have|had|would|thank\\w*|thanks|known|allergies|drug|oh|not?hing|neither|really|nobody|\\w+)\\b)",
)
/** A "no" that belongs to what stands behind it. */
const boundNo =
  /^\W*(?:(?:no (?:more|less|better|worse|different|wonder|doubt|idea|problem|worries|matter|(?:one|body)(?! (?:hits|hurts|touches|is hurting)))|nothing (?:matters|helps|works|changes|really|else|feels|is|new|much)|never mind|nobody|no i (?:do|did|am|have)(?! not|n't)\b))/
const ownDenial = starts(
  "(?:no,? )?(?:i(?:'ve| have|'d| would| do| am| did|'m| was| could)?(?:n't| not| never)|i never|ain't|haven't|hasn't|hadn't|don't|doesn't|didn't|isn't|wasn't|aren't|weren't|wouldn't|couldn't|won't|can't|not (?:since|anymore|lately|today|this|in|now|for|any|yet|right now|once|a|that|me|currently|recently|ever|even|at)|he (?:doesn't|didn't|hasn't|never|wouldn't|won't|isn't)|she (?:doesn't|didn't|hasn't|never|wouldn't|won't|isn't)|they (?:don't|didn't|haven't|never|wouldn't|aren't)|we (?:don't|didn't|haven't|never)|it (?:doesn't|didn't|hasn't|isn't|wasn't)|that (?:doesn't|didn't|hasn't|isn't|wasn't)|there (?:isn't|aren't|wasn't|is no|are no|'s no)|nobody|no one|none of)",
)
/** "I don't mind", "I wouldn't care", "I don't have the energy": begins like a denial and denies something else. */
const deniesOther =
  /^\W*(?:(?:oh|well|um|uh)\W+)*(?:i (?:don't|wouldn't|do not|would not) (?:mind|care|know|remember|think so|say no|have the (?:energy|nerve|guts|courage|strength))|i'm not (?:sure|going to lie|gonna lie|proud)|i can't (?:lie|say|remember|tell|explain|stop))/
const plainYes = starts(
  "(?:yes|yeah|yea|yep|yup|ya|aye|uh.?huh|mm.?hmm+|mhm|sure|definitely|absolutely|i do|i have|i am|i did|i was|i still do|of course|correct|exactly|right|true|okay|ok|that's right|he does|he did|he has|she does|she did|she has|they do|they did|it does|it did|it is|it has|there is|there are|we do|we did|all the time|every (?:day|night|morning|week|time)|sometimes|often|usually|mostly|always|once|twice|(?:a (?:few|couple)|two|three|four|five|several|many|some|most|couple)(?: of)? (?:times|days|nights|weeks|months|years|evenings|mornings)|(?:just )?(?:one|two|three|four|both|several|some|all) of (?:them|those|it)|a (?:little|bit|lot)|here and there|on and off|off and on|now and then|pretty (?:much|often)|from time to time)\\b",
)
/** "If it's really her, no." */
const noLater = /^[^.!?]{1,40}, (?:no|nope|never|not at all)(?=[.!?,;]|$)/
const yesLater = /^(?:[\w']{1,30}[, ]{1,4}){1,4}(?:yeah|yes|sometimes)\b/
/** Behind a denial these take it back. */
const takesBack =
  /\b(?:sometimes(?! i (?:laugh|pray))|than usual|kind of|sort of|cross(?:es|ed) my mind|i think about (?:it|that|dying)|(?:i've|i have) thought about|i (?:did|do|have)(?=[,.!;]|$))|\b(?:except|although|unless)\b|\bbut (?!not (?:since|now|anymore|lately|in|really)|no\b|i(?:'d| would) never|i (?:do )?(?:want|love|like)|i'm not|i (?:don't|didn't|wouldn't|haven't)|nothing|never|it(?:'s| is) (?:fine|okay|better|good)|that(?:'s| is| was) (?:it|all|about)|thank)/
const wantsToLive =
  /\bi (?:do |really |still )*want to (?:be here|live|be alive|stay alive|see|watch|get better)\b/

/** What an answer says to a question that can be answered with yes or no. */
export const readAnswer = (plain: string): Answer => {
  if (evades.test(plain))
    return /^[^.!?]{0,40}[.!?,] (?:i mean,? )?no(?:pe)?\b[^.!?]*[.!?]*$/.test(plain) ? 'no' : 'unclear'
  if (takesBackAll.test(plain)) return 'unclear'
  if (deniesOther.test(plain)) return 'other'
  const isNo = (plainNo.test(plain) && !boundNo.test(plain)) || ownDenial.test(plain)
  if (isNo) {
    if (!takesBack.test(plain) || wantsToLive.test(plain)) return 'no'
    // What is taken back in another sentence than the "no" is its own statement, and makes the answer doubtful.
    return 'unclear'
  }
  if (plainYes.test(plain)) return 'yes'
  if (noLater.test(plain)) return 'no'
  return yesLater.test(plain) ? 'yes' : 'other'
}

/** Whether a turn opens with a word that only answers have. */
export const opensLikeAnswer = (plain: string): boolean =>
  plainYes.test(plain) || evades.test(plain) || (plainNo.test(plain) && !boundNo.test(plain))

/** "Maybe.", "I don't know.", "Yeah, sure.": says nothing by itself. */
export const saysNothingAlone = (plain: string): boolean => {
  const left = plain
    .replace(/[^a-z' ]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !empty.has(word))
  return left.length === 0
}

const empty = new Set(
  `yes yeah yea yep yup no nope nah naw mm mhm hmm hm mmm uh um oh ah okay ok right sure maybe perhaps possibly kind kinda sort
  sorta of not really exactly i don't do know dunno idk guess think so well like just it it's that that's is was i'm mean you
  a little bit some something sometimes hard to say never always true fine good great thanks thank alright all and but then
  the this there huh wow definitely absolutely probably could be might would can't say`.split(/\s+/),
)
