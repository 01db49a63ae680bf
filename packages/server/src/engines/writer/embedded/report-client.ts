import { isCommonWord } from '../../lexicon/common-words.js'
import { findMedications } from '../../lexicon/medications.js'
import { expandContractions } from '../text/expand-contractions.js'
import { hasNegation } from '../text/find-negation.js'
import { findNumbers } from '../text/find-numbers.js'
import { removeDisfluencies } from '../text/remove-disfluencies.js'
import { reportSpeech, startsWithName } from '../text/report-speech.js'
import { othersAct, shiftFirstPerson } from '../text/shift-person.js'
import { countWords, isContentWord, tokenizeWords } from '../text/tokenize-words.js'
import { baseOfIrregular, toGerund } from '../text/verb-forms.js'
import { asList, deniable, readAsked } from './ask-indirectly.js'
import { readAnswer, withoutAnswerWord } from './read-answer.js'
import type { NameHider } from './hide-names.js'
import type { Spoken } from './read-session.js'
import type { Frame } from './statement.js'
import { findTopics } from './topics.js'

export interface Wording {
  text: string
  /** The same without the question, for a section whose heading says what was asked. */
  bare?: string
  frame: Frame | null
  items: readonly number[]
}

const pronounSubject =
  /\b(?:I|we|he|she|it|they|there|that|this|everyone|everybody|nobody|someone|which|who)(?:'(?:m|s|re|ve|d|ll)\b|\s+(?:\w+ly |just |really |still |always |never |also |only )*(?:am|is|are|was|were|have|has|had|do|does|did|don't|didn't|doesn't|can|can't|could|couldn't|will|won't|would|wouldn't|should|might|\w+(?:ed|s|t)|[a-z]{2,})\b)/i
const finiteVerb =
  /\b(?:is|are|was|were|has|had|have|does|did|will|would|can|can't|cannot|could|isn't|wasn't|aren't|haven't|hasn't|gets?|goes|says?|said|makes?|made|keeps?|feels?|felt|went|got|came|started|stopped|helped|helps|died|left|(?!hundred\b)\w+ed|\w+'s)\b/i

/** Whether a sentence stands by itself; "About four." does not. */
export const isFullClause = (clean: string): boolean =>
  !isSubordinate(clean) &&
  !/^I(?:'m| am)? ?(?:do|don't|did|didn't|have|haven't|am|not|can|can't|will|would|wouldn't)[.!]?$/i.test(
    clean,
  ) &&
  hasSubjectAndVerb(clean)

/** "When I was sixteen." belongs to the sentence before it. */
const isSubordinate = (clean: string): boolean =>
  /^(?:when|if|because|'cause|since|after|before|until|while|unless)\b/i.test(clean) &&
  !clean.includes(',') &&
  (clean.match(/\b(?:I|he|she|it|we|they|there|that's|it's|I'm|he's|she's)\b/gi) ?? []).length < 2

/** What may stand before the subject: "Last night I …", "When I stay there I …". */
const leadsIn =
  /^(?:when|if|since|because|after|before|once|last|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday|two|three|that|in|on|at|every|then|now|sometimes|usually|normally|and|but|so|mostly|today|yesterday|until|as|for|with|my|the|our|his|her|one|some|most|way|half|all|both|a|an|this|these|it|there|lately|recently|honestly|also|by|during|even|other)\b/i

const hasSubjectAndVerb = (clean: string): boolean => {
  // "That I'm unlovable." completes a question.
  if (/^that (?:I|my|it|he|she|they|we|one|nobody|everyone|the)\b/i.test(clean)) return false
  const subject = pronounSubject.exec(clean)
  // "The, like, I'm so calm voice": somebody is being imitated.
  if (subject !== null && /^[\w']+,/.test(clean) && subject.index > 0 && subject.index <= 8) return false
  if (subject !== null) return subject.index <= 8 || leadsIn.test(clean)
  if (/^[A-Z][a-z]+ (?:is|was|has|had|makes|made|helps|helped|works)\b/.test(clean)) return true
  return /^(?:my|the|our|his|her|a|an|some|most|all|one|both|half)\b/i.test(clean) && finiteVerb.test(clean)
}

/** Begins with a word whose meaning is in the sentence before. */
export const isAnaphoric = (clean: string): boolean =>
  /^(?:(?:and|but|so|because|then|now|also|sometimes|usually) )*(?:it|that|this|these|those|he|she|they|him|her|them|which|there it|same|nothing like)\b/i.test(
    clean,
  ) && !othersAct.test(clean)

const capitalOf = (clean: string): string | null => {
  const [first] = findMedications(clean)
  return first?.start === 0 &&
    /^[A-Z]/.test(first.name) &&
    first.name.toLowerCase() !== first.medication.generic
    ? first.name
    : null
}

/** A statement of the client's own as reported speech, or null. */
export const wordReport = (spoken: Spoken, names: NameHider): Wording | null => {
  const clean = condense(names.hide(spoken.clean))
  if (!isFullClause(clean) || spoken.asks || (spoken.role === 'unknown' && /\byou\b/i.test(clean)))
    return null
  const reported = reportSpeech(clean) ?? reportSpeech(beforeOthers(clean))
  if (
    reported === null ||
    (countWords(reported.text) < 2 && (reported.form === 'clause' || spoken.topics.length === 0)) ||
    isRunOn(reported.text)
  )
    return null
  const brand = capitalOf(clean)
  const text = brand === null ? reported.text : brand + reported.text.slice(brand.length)
  const frame = { form: reported.form, isPast: reported.isPast }
  const thing = asThing(tidy(text))
  if (thing !== null && reported.form === 'clause')
    return { text: thing, frame: { ...frame, form: 'noun', clause: tidy(text) }, items: [spoken.item] }
  return {
    text: tidy(text),
    frame: reported.form === 'gerund' ? { ...frame, clause: tidy(reported.clause) } : frame,
    items: [spoken.item],
  }
}

/** What "I told my brother, so now they …" says before somebody else comes in; the rest cannot be turned safely. */
const beforeOthers = (clean: string): string => {
  const cut = clean.replace(
    /(?:,? (?:so|and|but|because|when|that|like|which|if)\b(?=[^,]*\b(?:they|them|their|you|your)\b)|, (?=they\b)).*$/i,
    '',
  )
  return countWords(cut) >= 4 ? cut : clean
}

/** From here on a sentence has room to lose what it adds on the side. */
const longWords = 14

/** Without a trailing aside, unless it carries a number or a denial. */
const condense = (said: string): string => {
  // Of these only the stress is lost; after a negation ("not really") they are its measure.
  const clean = said
    .replace(
      /(?<!\bnot |n't )\b(?:actually|really|just|literally|basically|honestly|totally|pretty much|pretty(?= (?:good|bad|down|anxious|tired|sad|low)\b)|the whole entire time) (?=[a-z])/gi,
      '',
    )
    .replace(
      /^(?:(?:and|but|so) )?(?:the (?:other|big|main|only|first|second|weird|worst) (?:thing|part) is|the thing is|what happened (?:is|was)|it's just that)(?: that)?,? (?=\w+ \w+)/i,
      '',
    )
  if (countWords(clean) <= longWords) return clean
  const cut = clean.replace(/, (?:which|the one|like|whatever|you know|as in)\b[^.]*$/i, (aside) =>
    findNumbers(tokenizeWords(aside)).length > 0 || hasNegation(aside) ? aside : '',
  )
  return countWords(cut) >= 5 ? cut : clean
}

/** So many clauses without one stop were misheard, or are several: nobody can read them. */
const isRunOn = (text: string): boolean =>
  countWords(text) > 16 &&
  !/[,;]/.test(text) &&
  (text.match(/\b(?:they|it|she|he|there|that) (?:\w+)/gi) ?? []).length > 2

/** "they had two beers" and "there is a restraining order" are reports of a thing. */
const asThing = (text: string): string | null =>
  /^(?:they (?:have|had|got|get)|there (?:is|was|are|were)) (?<thing>(?:an?|no|some|any|two|three|four|five|six|seven|eight|nine|ten|maybe \w+|about \w+|these|\d+|nightmares|headaches|trouble|panic) (?!of\b)[^;]+)$/.exec(
    text,
  )?.groups?.['thing'] ?? null

const tidy = (text: string): string =>
  text
    .replace(/^(?:and|but|so|because|also|then|plus) /i, '')
    .replace(/,? (?:though|anyway|too|as well|right\??)$/i, '')
    .replace(/\b(they \w+ed|they [a-z]+) and they (?=[a-z])/i, '$1 and ')

/** A question and an answer that does not stand by itself, as one sentence; null if it cannot be put safely. */
export const wordAnswer = (answers: readonly Spoken[], names: NameHider): Wording | null => {
  const [first] = answers
  if (first === undefined || first.question === null) return null
  const asked = readAsked(names.hide(first.question.clean))
  const items = [first.question.item, ...new Set(answers.map(({ item }) => item))]
  const said = names.hide(answers.map(({ clean }, index) => withoutStop(clean, index > 0)).join(', '))
  const none = readNone(first.clean)
  const client = first.role === 'client' ? 'client' : 'a participant'
  if (none !== null) return answers.length > 1 ? null : { ...plain(`${client} denied ${none}`), items }
  const read = readAnswer(answers.map((sentence) => sentence.said).join(' '))
  // "No energy." says what there is none of.
  const answer = read === 'no' && asked.matter === null && /^no [a-z]+/i.test(first.clean) ? 'other' : read
  const whole = toFragment(withoutAnswerWord(said))
  const rest = whole !== null && isRunOn(whole) ? null : whole
  if (answer === 'no' && asked.matter !== null && !/^(?:not|no|never)\b/i.test(asked.matter))
    return {
      ...plain(
        joinRest(`${client} denied ${asList(deniable(asked.matter))}`, restOfDenial(asked.matter, rest)),
      ),
      items,
    }
  if (answer === 'yes' && asked.matter !== null)
    return { ...plain(joinRest(`${client} endorsed ${asked.matter}`, rest)), items }
  if (asked.statement !== null && answer === 'yes')
    return { ...plain(joinRest(`${client} confirmed that ${asked.statement}`, rest)), items }
  const bare =
    rest === null || rest === '' || /^(?:in|on|at|with|for|to|that|because|if|when|about|up)\b/i.test(rest)
      ? {}
      : { bare: `${client} reported ${rest}` }
  const label = labelOf(first.question.clean)
  if (label !== null && rest?.startsWith(`no ${label}`) === true)
    return { ...plain(`${client} reported ${rest}`), ...bare, items }
  if (label !== null && answer === 'other' && rest !== null && rest !== '')
    return { ...plain(`${client} described ${label} as ${rest}`), ...bare, items }
  if (answer === 'other' && rest !== null && rest !== '') {
    const merged = mergeAnswer(first.question.clean, rest)
    if (merged !== null) return { ...plain(`${client} reported ${merged}`), items }
    if (
      (!asked.isOpen && namesThing.test(rest) && countWords(rest) > 1) ||
      speaksForItself(rest, asked.isOpen)
    )
      return { ...plain(`${client} reported ${rest}`), ...bare, items }
  }
  const rating = asksRating.test(first.question.clean) && rest !== null ? findRating(rest) : null
  if (rating !== null) return { ...plain(`${client} gave a rating of ${rating}`), items }
  if (asked.indirect === null) return null
  const lead = `asked ${asked.indirect}, ${client}`
  const doing = /^how (?:they are|are they|they have been) (\w+ing)\b/i.exec(asked.indirect)?.[1]
  if (answer === 'no' && doing !== undefined)
    return { ...plain(joinRest(`${client} reported not ${doing}`, rest)), items }
  if (answer === 'other' && rest !== null && rest !== '' && asksNothing.test(first.question.clean))
    return { ...plain(`${client} reported ${rest}`), items }
  // "How have you been on it?" – "Yeah, so, better.": no yes was asked for.
  if (asked.isOpen && answer === 'yes')
    return rest === null || rest === '' ? null : { ...plain(`${lead} reported ${rest}`), ...bare, items }
  if (answer === 'no' || answer === 'yes')
    return { ...plain(joinRest(`${lead} answered ${answer}`, rest)), items }
  if (answer === 'unclear') return null
  if (rest === null || rest === '') return null
  const quote = misfits(asked.indirect, rest) ? quoteAnswer(first, names) : null
  return quote === null
    ? { ...plain(`${lead} reported ${rest}`), ...bare, items }
    : { ...plain(`${lead} stated, "${quote}"`), items }
}

/** "Alcohol no.": one of the things that were asked about. */
const readNone = (clean: string): string | null => {
  const what = /^(?<what>[a-z]+(?: [a-z]+)?),? (?:no|nope|none|never)[.!]?$/i.exec(clean)?.groups?.['what']
  return what === undefined || /^(?:no|nope|nah|not|never|um|well|god|honestly|i|oh|still)\b/i.test(what)
    ? null
    : what.toLowerCase()
}

const asksRating =
  /\b(?:zero|one) to (?:ten|a hundred)\b|\bout of (?:ten|a hundred)\b|\bhow (?:much|strongly) do you believe\b|\brate (?:it|that|this)\b|\bwhat number\b|\bwhere(?:'s| is) (?:that|the) \w+ now\b/i

/** "Like a five", "seven", "sixty percent". */
const findRating = (rest: string): string | null =>
  /^(?:about |maybe |probably |like )*(?<rating>(?:an? )?[\w-]+(?: percent)?(?:,? (?:or )?(?:an? )?[\w-]+)?)$/i.exec(
    rest,
  )?.groups?.['rating'] ?? null

/** "How do you feel about that?" – "In the little nervous": no answer to such a question begins so; it was misheard. */
const misfits = (indirect: string, rest: string): boolean =>
  /^how (?:they|it|that|this)\b.*\b(?:feel|feels|felt|is|was|are|were)\b/i.test(indirect) &&
  /^(?:in|of|to|by|at|on|for) (?:a|the) \w+/i.test(rest)

const quoteAnswer = ({ said, clean }: Spoken, names: NameHider): string | null => {
  const words = said.replace(/[.!?…]+$/, '').replace(/["“”]/g, '')
  return countWords(clean) > quoteWordsMax || names.hide(words) !== words ? null : words
}

/** What an answer of a few words names: things, amounts, persons. "In the closet" and "good" need their question. */
const namesThing =
  /^(?:just |only |about |maybe |probably |around |mostly |some |no )*(?:a|an|the|my|our|some|any|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|couple|few|half|\d[\d.]*|no|panic|nightmares|headaches?|pills|beers?|wine|weed|high|low|chronic|pre|[A-Z][a-z]+)\b/

/** A few words that stand without a verb: "Nightmares every night." Only what is clinical, and never a bare number. */
export const wordFragment = (spoken: Spoken, names: NameHider): Wording | null => {
  const clean = names.hide(spoken.clean.replace(/^(?:and|but|like|so) /i, '')).replace(/[.!?…]+$/, '')
  if (spoken.asks || spoken.topics.length === 0 || countWords(clean) < 2 || countWords(clean) > quoteWordsMax)
    return null
  if (!namesThing.test(clean) && !/^[a-z]+s\b/i.test(clean)) return null
  const rest = toFragment(clean)
  if (rest === null || rest === '' || readAnswer(spoken.said) === 'unclear') return null
  return { text: rest, frame: { form: 'noun', isPast: true }, items: [spoken.item] }
}

/** "How's sleep?" – a heading says it shorter than the question. Only a word that was said is one. */
const labelOf = (question: string): string | null => {
  const match =
    /\b(sleep|appetite|mood|energy|anxiety|alcohol|cannabis|concentration|motivation)(?:ing)?\b/i.exec(
      question,
    )
  return match === null ||
    /\b(?:when|why|where|who|last|to (?:help you )?sleep|tak(?:e|ing))\b/i.test(question)
    ? null
    : (match[1] ?? '').toLowerCase()
}

/** "Texas.": a word that is in no list of common ones keeps the capital that it was heard with. */
const isUncommon = (text: string): boolean => {
  const first = /^[A-Z][a-z]{2,}(?![a-z'’-])/.exec(text)?.[0]
  return (
    first !== undefined &&
    !/(?:th|ly|ing|ed|er)$/.test(first) &&
    !isCommonWord(first) &&
    findTopics(first).length === 0
  )
}

/** Questions that only hand over the word. */
export const asksNothing =
  /^(?:(?:so|and|okay|but|then|well|now)[, ]+)*(?:what else|what (?:happened|changed)|what's (?:going on|different|been|up|on your)|what do you (?:notice|think|see|make)|how (?:was|is|did|does|'s) (?:that|it|this)\b|how's (?:it|that|everything)|what (?:was|is) (?:that|it) like|what's that like|how come|why|tell me|how are (?:you|things)|how have (?:you|things) been|like what|what comes up|say more|can you say more|what are you noticing)\b/i

/** An answer of so many words of its own needs no question: fewer where it was a yes or no that was asked for. */
const speaksForItself = (rest: string, isOpen: boolean): boolean =>
  tokenizeWords(rest).filter(({ lower }) => isContentWord(lower)).length >= (isOpen ? 6 : 3) &&
  !/^(?:that|in|on|at|with|for|to|because|if|when)\b/i.test(rest)

const amount =
  /^(?:about |maybe |around |probably |almost |like |at least |more like |over )*(?:once|twice|every|each|daily|weekly|most|all|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|couple|few|several|half|none|zero|since|\d)/i

/** "How often are you missing it?" – "Once a week.": "missing it once a week". Null where they do not fit together. */
const mergeAnswer = (question: string, rest: string): string | null => {
  const asked = expandContractions(removeDisfluencies(question))
    .replace(/[?.!\s]+$/, '')
    .replace(/\byour\b/gi, 'their')
    .replace(/\byou\b/gi, 'they')
    .replace(/^(?:so|and|okay|but|then)[, ]+/i, '')
    .replace(/,? (?:right now|these days|now|all ?together|in total|total)$/i, '')
  if (!amount.test(rest)) return null
  const often = /^how (?:often|frequently) (?:are|were|do|did|have) they (?:been )?(\w+)(.*)$/i.exec(asked)
  if (often !== null) return `${asDoing(often[1] ?? '')}${often[2] ?? ''} ${rest}`
  const long = /^how long have they been (\w+)(.*)$/i.exec(asked)
  if (long !== null) {
    const [, word = '', tail = ''] = long
    const lead = word.endsWith('ing') ? `${word}${tail}` : `being ${word}${tail}`
    return `${lead} ${/^(?:since|for|about since)/i.test(rest) ? '' : 'for '}${rest}`
  }
  const many =
    /^how many ([a-z]+(?: [a-z]+)?)(?: (?:this|last|in the last|per|a|each) \w+)?(?: (?:are|do|did|have|were) they (?:getting|get|have|having|had|been getting))?(?:,? (?:all|or) .*)?$/i.exec(
      asked,
    )
  if (many === null || !/^(?:about |maybe |like )?[\w-]+(?:,|$)/.test(rest)) return null
  const [count = '', ...others] = rest.split(', ')
  const thing = asked
    .replace(/^how many /i, '')
    .replace(/ (?:are|do|did|have|were) they (?:getting|get|have|having|had|been getting).*$/i, '')
  return `${count} ${thing}${others.length === 0 ? '' : ` (${others.join(', ')})`}`
}

const asDoing = (verb: string): string =>
  verb.endsWith('ing') ? verb : toGerund(baseOfIrregular(verb.toLowerCase()) ?? verb.toLowerCase())

const withoutStop = (clean: string, isInside: boolean): string => {
  const text = clean.replace(/[.!?…]+$/, '')
  const isNamed =
    capitalOf(text) !== null || startsWithName(text) || isUncommon(text) || /^(?:I\b|[A-Z]{2})/.test(text)
  return isInside && !isNamed ? text.charAt(0).toLowerCase() + text.slice(1) : text
}

/** "No. No rash.": what is said again after a denial adds nothing. */
const restOfDenial = (matter: string, rest: string | null): string | null => {
  const again = /^no (?<what>\w+)$/i.exec(rest ?? '')?.groups?.['what']
  return again !== undefined && matter.toLowerCase().includes(again.toLowerCase()) ? null : rest
}

const plain = (text: string): { text: string; frame: null } => ({ text, frame: null })

const joinRest = (text: string, rest: string | null): string =>
  rest === null || rest === '' ? text : `${text} (${rest})`

/** What was said after a yes or no, in the third person; null if it cannot be. */
const toFragment = (text: string): string | null => {
  const written = expandContractions(removeDisfluencies(text)).replace(/[.!?…\s]+$/, '')
  if (written === '' || /^(?:eh|meh|ugh|hm+|oh)$/i.test(written)) return ''
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
const quoteWordsMax = 15

export const wordQuote = (spoken: Spoken, names: NameHider): Wording | null => {
  const said = spoken.clean.replace(/[.!?…]+$/, '')
  const isVerbatim = spoken.said.toLowerCase().includes(said.toLowerCase())
  if (/\byou\b/i.test(said)) return null
  if (!isVerbatim || countWords(said) > quoteWordsMax || names.hide(said) !== said || spoken.asks) return null
  const subject = spoken.role === 'client' ? 'Client' : 'A participant'
  return { text: `${subject} stated, "${said}"`, frame: null, items: [spoken.item] }
}
