import { findMedications } from '../../../lexicon/medications.js'
import { expandContractions } from '../../text/expand-contractions.js'
import { removeDisfluencies } from '../../text/remove-disfluencies.js'
import { startsWithName } from '../../text/report-speech.js'
import { shiftFirstPerson } from '../../text/shift-person.js'
import { countWords, isContentWord, tokenizeWords } from '../../text/tokenize-words.js'
import type { NameHider } from '../talk/hide-names.js'
import { capitalOf, isUncommon } from '../talk/keep-capital.js'
import { readAnswer } from '../talk/read-answer.js'
import type { Spoken } from '../talk/read-session.js'
import { findTopics } from '../talk/topics.js'
import type { Wording } from '../statement/wording.js'

/** What an answer of a few words names: things, amounts, persons. "In the closet" and "good" need their question. */
export const namesThing =
  /^(?:just |only |about |maybe |probably |around |mostly |some |no )*(?:a|an|the|my|our|some|any|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|couple|few|half|\d[\d.]*|no|panic|nightmares|headaches?|pills|beers?|wine|weed|high|low|chronic|pre|[A-Z][a-z]+)\b/

const countOrTime =
  /^(?:(?:about|maybe|like|almost|around|only|probably) )*(?:(?:once|twice)(?: (?:a|every|each) \w+)?|(?:an? )?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty)(?: (?:or|to) \w+)?(?: (?:more|times|percent|seconds?|minutes?|hours?|days?|weeks?|months?|years?|a (?:day|week|month|night)))*|every \w+|because of .+|because|all the time|(?:in|on|at|after|before) (?:the )?\w+)(?: (?:easily|easy|or so|tops|at least|maybe|probably))?$/i
const someone =
  /^(?:their|the) (?:\w+ )?(?:wife|husband|partner|girlfriend|boyfriend|mother|mom|father|dad|parents|sister|brother|son|daughter|kids|children|friend|cousin|aunt|uncle|caseworker|sponsor|roommate)(?:,? and .+)?$/i

/** Nouns for what somebody feels, which stand by themselves. */
const namesFeeling = /(?:guilt|anger|shame|grief|joy|hope|rage|energy|sadness|ness|ion|ment)$/

/** Whether an answer says nothing by itself: a number, a time, a person, or how something is. */
export const needsQuestion = (rest: string): boolean => {
  const [first = ''] = rest.split(/[;,(]/)
  // An answer of one word was heard as a sentence, with its capital.
  const head = first.trim().replace(/^[A-Z](?=[a-z]+$)/, (letter) => letter.toLowerCase())
  const isQuality =
    /^(?:(?:very|so|mostly|really|a bit|a little|pretty|not) )?[a-z]*[a-rt-z]$/.test(head) &&
    !head.endsWith('ing') &&
    findMedications(head).length === 0 &&
    !namesFeeling.test(head) &&
    findTopics(head).every((topic) => topic === 'progress' || topic === 'mood')
  return countOrTime.test(head) || someone.test(head) || isQuality
}

/** A few words that stand without a verb: "Nightmares every night." Only what is clinical, and never a bare number. */
export const wordFragment = (spoken: Spoken, names: NameHider): Wording | null => {
  const clean = names.hide(spoken.clean.replace(/^(?:and|but|like|so) /i, '')).replace(/[.!?…]+$/, '')
  if (spoken.asks || spoken.topics.length === 0 || countWords(clean) < 2 || countWords(clean) > quoteWordsMax)
    return null
  if (!namesThing.test(clean) && !/^[a-z]+s\b/i.test(clean)) return null
  const rest = toFragment(clean)
  if (rest === null || rest === '' || needsQuestion(rest) || readAnswer(spoken.said) === 'unclear')
    return null
  return { text: rest, frame: { form: 'noun', isPast: true }, items: [spoken.item] }
}

/** What was said after a yes or no, in the third person; null if it cannot be. */
export const toFragment = (text: string): string | null => {
  const written = expandContractions(removeDisfluencies(text)).replace(/[.!?…\s]+$/, '')
  if (written === '' || /^(?:eh|meh|ugh|hm+|oh|(?:oh )?(?:boy|man|wow|gosh|jeez|whew))$/i.test(written))
    return ''
  if (
    !tokenizeWords(written).some(
      (token) => isContentWord(token.lower) || /^(?:one|two|once|twice)$/.test(token.lower),
    )
  )
    return ''
  const lowered =
    capitalOf(written) === null &&
    !startsWithName(written) &&
    !isUncommon(written) &&
    !/^(?:I|[A-Z]{2,})\b/.test(written)
      ? written.charAt(0).toLowerCase() + written.slice(1)
      : written
  return shiftFirstPerson(lowered)
}

/** Where wording matters and cannot be turned: at most this many words (clinical style). */
export const quoteWordsMax = 15

export const wordQuote = (spoken: Spoken, names: NameHider): Wording | null => {
  const said = spoken.clean.replace(/[.!?…]+$/, '')
  const isVerbatim = spoken.said.toLowerCase().includes(said.toLowerCase())
  if (/\byou\b/i.test(said)) return null
  if (!isVerbatim || countWords(said) > quoteWordsMax || names.hide(said) !== said || spoken.asks) return null
  const subject = spoken.role === 'client' ? 'Client' : 'A participant'
  return { text: `${subject} stated, "${said}"`, frame: null, items: [spoken.item] }
}
