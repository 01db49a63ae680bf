import { countNegations } from '../../text/find-negation.js'
import { tokenizeWords } from '../../text/tokenize-words.js'
import type { DangerElement, DangerMatter, Standing, Time, Whose } from '../reading.js'
import { CLAIM_WORDS } from './claim-words.js'

/** What a sentence says about danger: one for each matter and element that it names. */
export interface DangerClaim {
  matter: DangerMatter
  element: DangerElement
  standing: Standing
  time: Time
  whose: Whose
  /** Its words in the sentence. */
  words: string
}

/** Read at most so far: no sentence is longer, and what somebody pasted as one must not delay the rest. */
const sentenceLengthMax = 4_000

const others =
  'brother|sister|mother|father|mom|dad|parents?|husband|wife|partner|spouse|boyfriend|girlfriend|son|daughter|child|children|friend|cousin|uncle|aunt|grand(?:mother|father|son|daughter|parents?)|nephew|niece|coworker|colleague|neighbor|roommate|ex|stepfather|stepmother|classmate|resident|housemate|flatmate|stranger|boss|manager|teacher|baby|girl|boy|man|woman|sibling|relative|character'
/** "their brother's suicide", "mother attempted suicide": somebody else right before the words. */
const ofOther = new RegExp(`\\b(?:${others})(?:'s|’s)?(?: [a-z]+){0,3}? ?$`, 'i')
const anyOther = new RegExp(`\\b(?:${others})\\b`, 'i')

export const namesOther = (text: string): boolean => anyOther.test(text)

const pastMarks =
  /\b(?:history of|hx of|past(?! (?:the|week|month|few|couple|two|three|several|day|\d))|previous(?:ly)?|prior|former(?:ly)?|in (?:the )?(?:19|20)\d\d|(?:years?|decades?) (?:ago|earlier|back|before)|as an? (?:child|teen\w*|adolescent|kid|young)|at (?:age )?(?:\d{1,2}\b(?!:)|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif)ty)|at the age|when (?:they|she|he|client) (?:was|were)|used to|in (?:high school|college|childhood|adolescence|their (?:teens|twenties))|earlier in life|years? ago|lifetime|long ago)\b/i
/** Verbs of what was, but not those with which a note tells of the session. */
const pastVerbs =
  /\b(?:had|was|were|did|thought|felt|took|went|told|made|wrote|cut|hit|kept|came|got|saw|heard|drove|began|(?!reported|stated|denied|endorsed|described|asked|noted|identified|discussed|shared|expressed|acknowledged|agreed|continued|increased|explained|disclosed|confirmed|affirmed|answered|observed|related|need|wanted to)[a-z]{2,14}ed)\b/i
const presentMarks =
  /\b(?:current(?:ly)?|now|today|this (?:week|month|morning)|at present|ongoing|active|present|still|recent(?:ly)?|last (?:night|week)|has been|have been)\b/i

/** How surely a sentence speaks of the past: by a mark, by its verbs alone, or not at all. */
export const readTense = (text: string): 'past' | 'maybe_past' | 'present' => {
  if (pastMarks.test(text)) return presentMarks.test(text) ? 'maybe_past' : 'past'
  return pastVerbs.test(text) ? 'maybe_past' : 'present'
}

const unclear =
  /\bunclear|\bnot (?:plainly|clearly|directly) answer\w*|\bdid not (?:answer|say|respond)|\bdeclined to (?:answer|say|discuss)|\bevasive|\bambiguous|\bambivalent|\breview (?:needed|required)|\bnot sure\b|\bunsure\b|\bjok(?:ed|ing|es)\b|\banswered\b|\bresponded\b|\bdeflect\w*|\bchanged the subject|\bhesitat\w*|\bequivocal/i

export const soundsUnclear = (text: string): boolean => unclear.test(text)

/** Behind these the rest of a clause is denied however long its list is: "denies SI, HI, plan or intent". */
const denyingVerb = /\b(?:denie[sd]|denying|no evidence of|absence of|negative for|free of|without|no)\b/i
/** "Asked whether they would rather not be here, client denied it": the answer comes last. */
const deniedAtLast =
  /\bask(?:ed|ing)\b.{1,300}\b(?:denie[sd] (?:it|this|that|them|so|any|both|either)\b|denie[sd]\W*$|(?:stated|states|said|says|reported|reports|answered|replied|responded) (?:that )?(?:they |he |she |it |there )?(?:has |had |have |is |are |was |were )?(?:never|none)\b|(?:say(?:s|ing)?|said|answer(?:s|ed)?|repl(?:ies|ied)|respond(?:s|ed)) (?:with )?["“]?no\b(?! one))/i
/** A plan or an act is no thought, denied or not, unless thoughts are named too. */
const ideaWords = /\b(?:ideation|thoughts?|thinking|SI|HI|wish\w*|urges?)\b(?! of acting| about acting)/i
const stepElements: ReadonlySet<DangerElement> = new Set<DangerElement>([
  'plan',
  'intent',
  'attempt',
  'preparation',
  'means',
])

/** "Suicidal thoughts (past): denied": how an extract marks what it quotes. */
const mark = /^[^.;:]{0,40}: (affirmed|denied|unclear)\b/

/** What starts a clause that the denial before it does not reach. */
const clauseEdge =
  /;|\.\s|\bbut\b|\bhowever\b|\balthough\b|\bthough\b|\bwhile\b|\bexcept\b|\b(?:and|then|yet) (?:client |patient |they |she |he )?(?:denie[sd]|report|endors|describ|stat|acknowledg|disclos|confirm|admit|affirm|says|said|has|had|thinks|feels)\w*|, (?:denie[sd]|reports?|endorses?|describes?|states?|acknowledges?|has|with|when (?:client|patient|they|she|he)|not since)\b/gi

/** "does not know about the suicidal thoughts", "has not told anyone of the overdose": there are such. */
const isUntold =
  /(?:\bnot|n't|\bnever) (?:yet )?(?:know|tell|told|disclos|mention|shar|discuss|talk|aware|said|say|remember|connect|minimiz)/i

/** "will call 988 if suicidal thoughts return", "would tell their roommate about thoughts of killing themself": none are told of. */
const supposedIf =
  /(?:\b(?:if|whether|in case(?: of)?|in the event of)|(?<!\b(?:client|patient|they|she|he|who|one) )\bshould)\b[^,;]{0,60}$/i
const supposedCall =
  /\b(?:would|will|should|to) (?:tell|call|contact|text|let|inform|go to)\b[^,;]{0,60}\b(?:about|of|with|when|at)\b[^,;]{0,30}$/i

/** What is supposed may be denied all the same: "asked if there is a gun, client said no", "denies that, if alone, …". */
const isOnlySupposed = (before: string): boolean => {
  const supposed = supposedIf.exec(before) ?? supposedCall.exec(before)
  return supposed !== null && !denies.test(before) && !denyingVerb.test(before.slice(supposed.index))
}

/** "Asked whether there is a gun, client said yes", but not "asked if they will call if the thoughts return". */
const answersYes =
  /\bask(?:ed|ing) (?:if|whether)\b.{1,200}\b(?:(?:said|says|answered|replied|responded) yes|endors(?:es|ed)|affirm(?:s|ed)|confirm(?:s|ed)|acknowledge[sd])\b/i
const isOfLater = /\b(?:will|would|could|should|return\w*|come back|call\w*)\b/i

const denies = /\bden(?:y|ie[sd]|ying)\b/i

/** "knew of the accident, not of the voices": whose they are is not said. */
const isUnknown = /\b(?:knew|know|knows|told|aware)\b.{0,60}\bnot (?:about|of) (?:the |their |his |her )?$/i
/** "no redness around the cuts", "no change in the thoughts": what is denied is another thing. */
const isOfOtherThing =
  /\bno (?:[a-z]+ ){1,2}(?:around|near|at|on|from|in) (?:the|their|his|her|these|those) (?:[a-z]+ )?$/i

/** "an urge to bang their head": a thought of an act is none. */
const isOnlyThought =
  /\b(?:urges?|thoughts?|thinking|thinks|impulses?|wants?|wanted|wanting|wish\w*|ideas?|images?|imagin\w*|fantas\w*|fear\w*|afraid)\b[^,;]{0,40}$/i
/** "denies having thought how they would kill themself": the method is denied, not the thoughts. */
const isOfMethod = /\b(?:thought|thoughts|thinking)(?: about| of)? how\b[^,;]{0,40}$/i
/** "denies that the voice has told them to": what it tells is denied, not that there is one. */
const isKnown = /\b(?:the|this|that|these|those|their|her|his) $/i
const tellsOf = /^ (?:(?:has|have|had|ever|never|also) ){0,2}(?:tell|told|say|said|ask|command)/i
const isAct = (element: DangerElement): boolean => element === 'act' || element === 'violence'

interface Clause {
  text: string
  start: number
}

const splitClauses = (text: string): Clause[] => {
  const clauses: Clause[] = []
  let from = 0
  for (const match of text.matchAll(clauseEdge)) {
    clauses.push({ text: text.slice(from, match.index), start: from })
    from = match.index
  }
  clauses.push({ text: text.slice(from), start: from })
  return clauses.filter((clause) => clause.text.trim() !== '')
}

/** `assumed`: what the sentence is known to speak of, so that a bare "plan" or "intent" counts. */
export const readDangerClaims = (sentence: string, assumed: DangerMatter | null = null): DangerClaim[] => {
  const text = sentence.slice(0, sentenceLengthMax)
  const tense = readTense(text)
  const claims: DangerClaim[] = []
  const matters = new Set(
    CLAIM_WORDS.filter(({ isDependent, words }) => isDependent !== true && words.test(text)).map(
      ({ matter }) => matter,
    ),
  )
  if (assumed !== null) matters.add(assumed)
  if (matters.size === 0) return []
  const isUnclear = soundsUnclear(text)
  const isDeniedAtLast = deniedAtLast.test(text)
  const isAnswered = isDeniedAtLast || isUnclear || (answersYes.test(text) && !isOfLater.test(text))
  for (const clause of splitClauses(text)) {
    const tokens = tokenizeWords(clause.text)
    const negations = countNegations(clause.text, tokens)
    const denyAt = denyingVerb.exec(clause.text)?.index ?? Infinity
    const found = CLAIM_WORDS.flatMap(({ matter, element, words }) => {
      const match = matters.has(matter) ? words.exec(clause.text) : null
      return match === null ? [] : [{ matter, element, match }]
    })
    const hasStep = found.some(({ element }) => stepElements.has(element))
    const isOfSteps = hasStep && !ideaWords.test(clause.text)
    for (const { matter, element, match } of found) {
      const at = tokens.findIndex((token) => token.end > match.index)
      // "do not want to wake up" is the wish itself: what is inside the words denies nothing.
      const isOwnNegation = /n't|\bnot\b|\bnever\b/i.test(match[0])
      const before = clause.text.slice(0, match.index)
      const isNegated = !isOwnNegation && (negations[at] ?? 0) > 0 && !isUntold.test(before)
      const isDenied =
        isDeniedAtLast || (!isOfOtherThing.test(before) && (denyAt <= match.index || isNegated))
      if (
        (isOfSteps && element === 'thoughts') ||
        isUnknown.test(before) ||
        (!isAnswered && isOnlySupposed(before))
      )
        continue
      const behind = clause.text.slice(match.index + match[0].length)
      const marked = mark.exec(behind)?.[1] as Standing | undefined
      claims.push({
        matter,
        element:
          !isDenied && isAct(element) && isOnlyThought.test(before)
            ? 'thoughts'
            : isDenied && element === 'thoughts' && isOfMethod.test(before)
              ? 'plan'
              : isDenied && element === 'voices' && isKnown.test(before) && tellsOf.test(behind)
                ? 'commands'
                : element,
        standing:
          marked ??
          (isDenied && isDeniedAtLast ? 'denied' : isUnclear ? 'unclear' : isDenied ? 'denied' : 'affirmed'),
        time: tense === 'past' ? 'past' : 'present',
        // "their husband would be better off without them" is the client's thought.
        whose: !/^better off/i.test(match[0]) && ofOther.test(before.slice(-60)) ? 'other' : 'client',
        words: match[0].trim(),
      })
    }
  }
  return claims
}
