import type { Whose } from '../reading.js'
import type { Role } from '../talk/read-talk.js'

const kin =
  '(?:mom|mother|mum|mama|ma|dad|father|papa|wife|husband|partner|girlfriend|boyfriend|fiancee?|ex|son|daughter|kid|kids|lad|lass|missus|brother|sister|nan|gran|granny|grandma|grandmother|grandpa|grandfather|grandson|granddaughter|roommate|flatmate|neighbou?r|friend|mate|buddy|boss|coworker|aunt|auntie|uncle|cousin|nephew|niece|dog|cat)'
const theirs = new RegExp(
  `\\b(?:my|his|her|our|the|your) (?:\\w+ )?${kin}(?:'s|s')? (?:[\\w']+ ){0,2}?(?:takes?|on|is on|was on|'s on|has|had|uses|used|took|gets|got|swears|went on|goes on|is allergic|reacted|reacts|started|stopped|died|overdosed|with|own|old)\\b|\\b(?:my|his|her|our) (?:\\w+ )?${kin}(?:'s|s') `,
)
/** Called without "my". */
const called =
  /\b(?:mom|mam|mum|mama|mamaw|mommy|mummy|dad|daddy|papa|papaw|nan|nana|gran|granny|grandma|grandad|granddad|grandpa)(?:'s| is| was| has| had| takes?| took) (?:still |always |just )?(?:on|got|taking|takes?|had|her|his|a|the|used)\b/

const takesIt =
  /\b(?:i take|i'm on|i'm taking|i was on|i've been|i've had|i took|i had|gave me|gave it to me|told me|said i|put me|for me|just the once)\b/
/** "There's her morphine yet", "the nurses never took her bottle of Oramorph". */
const ofThem = /\b(?:her|his|their)(?: (?:bottle|box|pills|bit|script|prescription) of)?(?: \w+)? $/
const beforeReach = 40

/** "This is Marie's.", "those are hers", "the vet said": told of the one that is named beside it. */
const belongs =
  /\b(?:this|that|these|those|it|which)(?:'s| is| are| were| was) (?:hers|theirs|(?!(?:it|that|what|there|here|let|tomorrow|[a-z]{2,6}day|doctor|everybody|everyone|nobody|one)'s)[a-z]{3,20}'s)(?=[.,;!?]|$)|, is (?:hers|his|(?!(?:it|that|what|there|here)'s)[a-z]{3,20}'s)(?=[.,;!?]|$)|\bthe vet\b(?!'?s? (?:cent|clinic|hospital|affairs))|\bvet's\b/
/** "She's old, she bruises, she's on that": the clause right before the name. */
const theyTake =
  /\b(?:she|he|they)(?:'s|'re| is| are| was| were)?(?: still| always| just)? (?:on|taking|takes|took|gets|has|had)(?: (?:that|the|this|her|his|some|a|an))?(?: \w+)? $/
/** "My doctor, she has Zoloft at fifty." */
const ofTreatment =
  /\b(?:me|doctor|dr|psychiatrist|nurse|np|pcp|gp|clinic)\b|\bi (?:saw|went|was|take|took)\b/
/** "My mother reacted to it, and so did I." */
const ofBoth = /\bso (?:did|do|am|was) i\b|\b(?:same as|like) me\b|\bme,? too\b/

/** Whether a sentence says of what stands beside it that it is somebody else's. */
export const saysBelongs = (plain: string): boolean => belongs.test(plain)

/** Whose medicine it is: somebody else's where they are named as the one who takes it. */
export const readMedicineWhose = (plain: string, speaker: Role, said: string): Whose => {
  const at = plain.indexOf(said.toLowerCase())
  const before = at < 0 ? '' : plain.slice(Math.max(0, at - beforeReach), at)
  if (belongs.test(plain) && !takesIt.test(plain)) return 'other'
  if (
    speaker === 'client' &&
    (ofThem.test(before) || (theyTake.test(before) && !ofTreatment.test(plain))) &&
    !takesIt.test(plain)
  )
    return 'other'
  if ((theirs.test(plain) || called.test(plain)) && !takesIt.test(plain) && !ofBoth.test(plain))
    return 'other'
  if (
    speaker === 'client' &&
    /\b(?:she|he|they)(?:'s|'re)? (?:takes?|took|on|is on|are on|uses?|was on|has|had|got)\b/.test(plain) &&
    !/\b(?:i|me|my)\b/.test(plain)
  )
    return 'other'
  return speaker === 'other' &&
    (/\bi(?:'m| am)(?: \w{1,10})? (?:on|taking)\b|\bi (?:take|took|use)\b(?! (?:him|her|them)\b)/.test(
      plain,
    ) ||
      /\bmy $/.test(before))
    ? 'other'
    : 'client'
}
