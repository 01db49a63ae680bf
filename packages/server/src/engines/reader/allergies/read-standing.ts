import type { Standing } from '../reading.js'
import type { Sentence } from '../talk/read-talk.js'
import { borne, doubtful, none, outgrown, tellsBorne, tellsReaction } from './allergy-words.js'
import { listSubstances, namesSubstance } from './list-substances.js'

/** Each clause with the word that opens it: "but", "except", "just" decide what it takes back. */
const clauseBound =
  /[,;:–—] ?|(?= (?:but|although|though|except|excluding|apart from|other than|aside from|besides|unless|just|only) )/
/** Clauses that a sentence may have; what is longer is a list. */
const clausesMax = 24

const makesException =
  /^ ?(?:(?:and|so|or|oh|well|yeah|it's|i've|is|really)[, ]+)*(?:but|except(?:ing)?(?: for)?|apart from|other than|aside from|besides|unless|just|only|bar)\b(?! (?:i|i'm|he|he's|she|she's|they|it|it's|that|that's|not)\b)/
const exceptsWithin = /\b(?:anything|nothing|none|nowt|allerg\w+) (?:but|bar|except|besides)\b/
/** "Not allergic to latex", "no reaction to it": of what is named behind it, not of allergies at large. */
const deniesNamed =
  /\b(?:not|n't|never(?: been)?|no longer|don't think (?:i'm|he's|she's)|don't believe (?:i'm|he's|she's)) (?:really |actually |even )?(?:allergic|sensitive) to\b(?! (?:any|noth|nowt))|\b(?:n't|not|never) (?:have|got|had) (?:an? |any )?(?:allerg\w+|reactions?) to\b(?! any)|\bno (?:\w+ )?(?:allerg\w+|reactions?) to\b(?! any)|\b(?:n't|not|never) react(?:ed)? to\b(?! any)/
const affirmsNamed =
  /\ballerg(?:ic|y|ies)\b|\banaphyla|\breact(?:s|ed|ion)?\b|\bhives\b|\brash\b|\bswell|\bswelled\b|\bswole/
const deniesName = /^\W*(?:(?:no|nope|nah|and|or|but|so|well)[,. ]+)*not (?:to |for )?(?:the )?(?=\w)/
const isSupposed =
  /\bif (?:i|he|she|they|you|we)(?:'d|'m|'re|'s)?(?: (?:was|were|had|am|is|are|been)){0,2} (?:allergic|sensitive)\b/
/** "I'd have no dinner if I was allergic to fish": is not so. What somebody asks or does not know may be so. */
const wouldBe = /(?:'d|\bwould(?:n't)?)\b/
const isAskedOrUnknown =
  /\b(?:ask\w*|know|knew|sure|wonder\w*|tell|told|check\w*|remember|recall|say|says|said)\b/
/** "I'm okay", "I feel fine": of today, not of what was named. */
const feelsFine =
  /\bi'?(?:m|ve been| am| feel)(?: doing| feeling)? (?:fine|okay|ok|all right|alright|grand)\b(?! with)/

const isBorne = (clause: string): boolean => borne.test(`${clause}.`) || outgrown.test(clause)

/** Behind "not that I know of" a bare name takes it back; "I've been around dogs" does not. */
const bareWordsMax = 3

/** Affirmed, denied or unclear, of one thing that a sentence names: by its own clause first, then by those around it. */
export const readStanding = ({ plain }: Pick<Sentence, 'plain'>, substance: string): Standing => {
  const clauses = plain.replace(/[.!?]{1,9}$/, '').split(clauseBound, clausesMax)
  const at = clauses.findIndex((clause) => namesSubstance(clause, substance))
  const own = clauses[at]
  if (own === undefined) return readWhole(plain)
  if (isSupposed.test(own)) return wouldBe.test(plain) && !isAskedOrUnknown.test(plain) ? 'denied' : 'unclear'
  const before = clauses.slice(0, at)
  const behind = clauses.slice(at + 1)
  // What another thing did stands in a clause that names it.
  const next = behind.findIndex((clause) => listSubstances({ text: clause }).length > 0)
  const isReaction = [own, ...behind.slice(0, next < 0 ? behind.length : next)].some(tellsReaction)
  const deniesBefore = before.some(
    (clause) => none.test(clause) || /^\W*(?:no|none|nope|nothing)\b/.test(clause),
  )
  if (exceptsWithin.test(own) || (makesException.test(own) && (deniesBefore || !isBorne(own))))
    return doubtful.test(plain) ? 'unclear' : 'affirmed'
  if (deniesName.test(own) || deniesNamed.test(own)) return 'denied'
  if (isBorne(own)) return isReaction && !outgrown.test(own) ? 'unclear' : 'denied'
  const governing = [own, ...before.toReversed()].find((clause) => affirmsNamed.test(clause))
  if (governing !== undefined && governing !== own && deniesNamed.test(governing)) return 'denied'
  const isAffirmed = governing !== undefined && !none.test(withoutOther(governing))
  if (behind.some((clause) => outgrown.test(clause) && !/\ballerg\w+ to\b/.test(clause))) return 'denied'
  const isTakenBack = behind.some(
    (clause) => borne.test(`${clause}.`) && !(isAffirmed && feelsFine.test(clause)) && !isOfAnother(clause),
  )
  if (isTakenBack) return isAffirmed || isReaction ? 'unclear' : 'denied'
  if (doubtful.test(plain)) return 'unclear'
  if (isAffirmed || !none.test(withoutOther(plain))) return 'affirmed'
  return none.test(own) || own.trim().split(' ').length > bareWordsMax ? 'denied' : 'unclear'
}

/** "No other allergies" says that there is one. */
const withoutOther = (plain: string): string =>
  plain.replace(/\bno other (?:known )?(?:drug |food )?allerg\w+/g, '')

/** "But ibuprofen's fine": of what it names itself. */
const isOfAnother = (clause: string): boolean =>
  !/\b(?:it|that|them|those|this)\b|\bi'm (?:fine|okay|ok|all right|alright|grand)/.test(clause)

const readWhole = (plain: string): Standing =>
  tellsBorne(plain) || outgrown.test(plain) || none.test(plain)
    ? 'denied'
    : doubtful.test(plain)
      ? 'unclear'
      : 'affirmed'
