import { expandContractions } from '../../text/expand-contractions.js'
import { hasNegation } from '../../text/find-negation.js'
import { lowerFirst } from '../../text/report-speech.js'
import { shiftFirstPerson } from '../../text/shift-person.js'
import { countWords, tokenizeWords } from '../../text/tokenize-words.js'
import { findNumbers } from '../../text/find-numbers.js'
import { isIrregularPast } from '../../text/verb-forms.js'
import { wordAddition } from './answer-before.js'
import { readAsked } from '../talk/ask-indirectly.js'
import { isImitation } from '../talk/drop-speech.js'
import { addStatement, extendLast, type Gathering } from '../statement/gathering.js'
import { asIntent, asResponse, judgeKind } from './judge-kind.js'
import { confirmsNothing, isHalf, isHollow, leavesOpen, saysNothing } from './judge-wording.js'
import { isLabelled } from '../talk/label-answer.js'
import { nameDose, nameSubject, noteMedicines } from '../medicines/name-medicine.js'
import { readAnswer } from '../talk/read-answer.js'
import type { Spoken } from '../talk/read-session.js'
import { asksNothing, wordAnswer } from './report-answer.js'
import { wordReport } from './report-client.js'
import { wordFragment, wordQuote } from './report-fragment.js'
import { findRatedBefore, isCase, isRating } from './report-rating.js'
import { isAnaphoric, isFullClause } from '../talk/clause-shape.js'
import type { Wording } from '../statement/wording.js'
import { isResponseTo } from './read-response.js'
import { repeatsPlan } from './repeats-plan.js'
import { resolveInside, resolvePronoun } from '../talk/resolve-pronoun.js'
import type { Statement } from '../statement/statement.js'
import { findTopics, isMachineTalk, type Topic } from '../talk/topics.js'

/** What a sentence of the client, or of a voice that nobody has named, adds to the note. */
export const addClient = (gathering: Gathering, spoken: Spoken): void => {
  noteMedicines(gathering, spoken)
  if (gathering.answered.has(spoken.order) || countWords(spoken.clean) === 0) return
  const wording = isIdiom(spoken) ? null : wordClient(gathering, spoken)
  if (wording === null) return
  const isGoalAnswer = spoken.question?.topics.includes('goal') === true
  const isResponse = isResponseTo(gathering.intervention, spoken)
  if (isHollow(wording.text) || isImitation(wording.text) || confirmsNothing(wording.text)) return
  if (isHalf(wording.frame === null ? wording.text.replace(/^client reported /, '') : wording.text)) return
  if (takesOthersForClient(spoken.clean, wording.text)) return
  const isAnswer =
    spoken.question !== null &&
    (spoken.opensTurn || !leavesOpen(wording.text) || gathering.risk.isWithinRisk(spoken))
  if (saysNothing(wording.text) && !isGoalAnswer && !isResponse && !isAnswer && spoken.topics.length === 0)
    return
  const topics = topicsOf(spoken)
  const kind = judgeKind(gathering, spoken, topics, wording)
  if (kind === 'report' && (isAsideToPlan(gathering, spoken) || repeatsPlan(gathering.session, spoken)))
    return
  const worded =
    kind === 'response'
      ? asResponse(gathering, spoken, wording)
      : kind === 'intent'
        ? asIntent(spoken, wording)
        : wording
  const dosed = nameDose(gathering, spoken, nameSubject(spoken, worded), topics)
  addStatement(gathering, kind, spoken, dosed, topics, `${spoken.clean} ${wording.text}`)
}

/** "I'll take it", said to good news: nothing is taken. */
const isIdiom = ({ clean, question }: Spoken): boolean =>
  question === null && /^I(?:'ll| will) (?:take (?:it|that)|live|manage)\W*$/i.test(clean)

/** "They've got thirty kids and they're trying": said of others, and in a note "they" is the client. */
const takesOthersForClient = (clean: string, text: string): boolean =>
  /\bthey\b/i.test(clean) &&
  !/\b(?:I|me|my|mine|myself|we|us|our)\b/i.test(clean) &&
  /^(?:(?:in response, )?client reported )?(?:this |that )?they\b/.test(text)

/** "I've got plenty of dull books": said to a plan, and about nothing that a note asks for. */
const isAsideToPlan = ({ statements }: Gathering, { item, question, topics, clean }: Spoken): boolean => {
  if (topics.length > 0) return false
  const isPlan = ({ kind, items }: Statement): boolean =>
    (kind === 'plan' || kind === 'order') && (items.at(-1) ?? 0) >= item - 1
  const isNumbered = findNumbers(tokenizeWords(clean)).length > 0
  // "Four weeks works. We've got soccer, but we'll manage."
  if (question !== null)
    return proposesDate(question) && statements.slice(-3).some(isPlan) && (!isNumbered || suits.test(clean))
  return !isNumbered && statements.slice(-1).some(isPlan)
}

const suits = /\b(?:works?|suits|fine|good|great|perfect|okay|can do)\b/i

/** "Let's see, four weeks?" */
const proposesDate = ({ topics, clean }: Spoken): boolean =>
  topics.length === 0 &&
  /\b(?:weeks?|months?|(?:mon|tues|wednes|thurs|fri)days?|same time|o'clock|the (?:\w+ )?\w+(?:th|st|nd|rd))\W*$/i.test(
    clean,
  )

/** Its own topics, and those of what was asked: those of a question that is still open only if it has none. */
const topicsOf = (spoken: Spoken): Topic[] => {
  const asked = spoken.question?.topics ?? (spoken.topics.length === 0 ? (spoken.open?.topics ?? []) : [])
  return [...new Set([...asked.filter((topic) => topic !== 'progress'), ...spoken.topics])]
}

const wordClient = (gathering: Gathering, spoken: Spoken): Wording | null => {
  const { names } = gathering
  if (/^(?:sorry,? )?I(?:'m| am) (?:crying|gonna cry|going to cry|tearing up)\b/i.test(spoken.clean))
    return {
      text: `client noted ${/tear/i.test(spoken.clean) ? 'tearing up' : 'crying'} in session`,
      frame: null,
      items: [spoken.item],
    }
  const startsAnswer = spoken.question !== null && spoken.opensTurn
  const isElliptical =
    !isFullClause(spoken.clean) ||
    (startsAnswer && onlyDoing.test(spoken.clean)) ||
    /^no[,.;—-]/i.test(spoken.clean) ||
    (spoken.question !== null && spoken.opensTurn && isRating(spoken.question, spoken.clean))
  if (startsAnswer && (isElliptical || isAnaphoric(spoken.clean)))
    return isElliptical ? wordOpening(gathering, spoken) : wordReference(gathering, spoken)
  if (isElliptical) return wordElliptical(gathering, spoken)
  if (!isAnaphoric(spoken.clean)) {
    const wording = wordNamed(gathering, spoken) ?? wordReport(spoken, names)
    if (wording !== null && completesAnswer(gathering, spoken, wording)) return null
    return wording ?? quoteIfWeighty(gathering, spoken)
  }
  return wordAnaphoric(gathering, spoken)
}

/** "Doing it over and over.": what somebody does, without who or when. */
const onlyDoing =
  /^(?:just |not |probably |mostly |maybe )*[a-z]+ing (?!(?:[a-z]+ )?(?:is|was|has|helps?|helped|makes?|made|feels?|felt)\b)(?!.*\b(?:I|he|she|they|we)\b)/i

/** With the person named whom a pronoun in it means, where that is certain. */
const wordNamed = ({ session, names }: Gathering, spoken: Spoken): Wording | null => {
  const resolved = resolveInside(spoken, session)
  const named = resolved === null ? null : wordReport({ ...spoken, clean: resolved.text }, names)
  return named === null || resolved === null ? null : { ...named, items: [resolved.item, ...named.items] }
}

/** As many words as a remark to an answer has. */
const remarkWordsMax = 6

/** "Penicillin. I get hives.": a short remark belongs to the answer before it. */
const completesAnswer = (gathering: Gathering, spoken: Spoken, wording: Wording): boolean => {
  const before = gathering.statements.at(-1)
  const clause = wording.frame?.clause ?? wording.text
  return (
    before?.frame === null &&
    before.role === spoken.role &&
    before.items.includes(spoken.item) &&
    // "High blood pressure. I take lisinopril.": an illness, and a medicine.
    spoken.medicines.length === 0 &&
    (/\breported\b/.test(before.text) || tellsMoreOf(before, spoken)) &&
    countWords(clause) <= remarkWordsMax &&
    wording.frame?.form !== 'noun' &&
    extendLast(gathering, spoken, { link: '; ', text: clause })
  )
}

/** "Four hours. Five if I'm lucky.": of the same thing under its label, or another number of it. */
const tellsMoreOf = ({ text, topics }: Statement, { clean, topics: own }: Spoken): boolean =>
  isLabelled(text) &&
  !text.includes(';') &&
  (own.some((topic) => topics.includes(topic)) || findNumbers(tokenizeWords(clean)).length > 0)

/** "I drink more coffee. Like six cups a day.": an afterthought belongs to its sentence; another may stand alone. */
const wordElliptical = (gathering: Gathering, spoken: Spoken): Wording | null => {
  const withSubject = supplySubject(spoken)
  if (withSubject !== null) return wordReport({ ...spoken, clean: withSubject }, gathering.names)
  if (addsToBefore(gathering, spoken) || spoken.asks) return null
  return wordFragment(spoken, gathering.names) ?? quoteIfWeighty(gathering, spoken)
}

/** "Went to the gym." is said of oneself. */
const supplySubject = ({ clean, question: asked }: Spoken): string | null => {
  const [first = '', second = ''] = tokenizeWords(clean).map(({ lower }) => lower)
  const isVerb =
    /^(?:haven't|didn't|don't|couldn't|can't|wasn't)$/.test(first) ||
    (isIrregularPast(first) &&
      !/^(?:left|found|felt|set|put|read|cut|hurt|born|beat|bent|bound|lay|saw)$/.test(first))
  // "Don't do the head tilt" is asked of the clinician.
  if (/^(?:don't|can't)$/.test(first) && asked !== null && /\b(?:should|can|could|do) I\b/i.test(asked.clean))
    return null
  if (!isVerb || countWords(clean) < 3 || /^(?:i|you|he|she|they|we|it|there)$/.test(second)) return null
  const rest = clean.charAt(0).toLowerCase() + clean.slice(1)
  return `I ${rest}`
}

/** An afterthought of more words is a sentence of its own. */
const addedWordsMax = 9

const addsToBefore = (gathering: Gathering, spoken: Spoken): boolean => {
  // "Eight at night I missed.": a clause of its own, heard without what it misses.
  const isBroken = /^(?!(?:not|never|since|until|before|after|when|if|because)\b).*\bI \w+[.!?]*$/i.test(
    spoken.clean,
  )
  if (spoken.asks || countWords(spoken.clean) > addedWordsMax || isBroken) return false
  if (/\bdenied [\w ]+$/.test(gathering.statements.at(-1)?.text ?? '')) return false
  const clean = gathering.names.hide(
    spoken.clean.replace(/^(?:(?:like|or|and|then like|with like) )+/i, '').replace(/[.!?…]+$/, ''),
  )
  const tokens = tokenizeWords(clean)
  const isTelling = findNumbers(tokens).length > 0 || findTopics(clean).length > 0 || timeWord.test(clean)
  if (!isTelling || isAside(clean)) return false
  const text = shiftFirstPerson(lowerFirst(expandContractions(clean)))
  const link = /^(?:none|not|never|no(?= [a-z]))\b/i.test(clean) ? '; ' : ' ('
  return text !== null && extendLast(gathering, spoken, { link, text })
}

const timeWord =
  /\b(?:every|daily|since|until|before|after|during|mornings?|afternoons?|evenings?|nights?|weeks?|months?|years?|today|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/i

/** Talk about the talk, thanks and exclamations. */
const isAside = (clean: string): boolean =>
  /^(?:thanks?|thank you|sorry|sure|god|wow|ugh|right|exactly|totally|okay|fine|deal|maybe|honestly|anyway|whatever|alright|ha|no worries|sounds good|of course|real classy|no idea|god bless|you asked)\b/i.test(
    clean,
  )

/** "It", "that", "he" at the start: the sentence goes with the one before, unless it is known who is meant. */
const wordAnaphoric = (gathering: Gathering, spoken: Spoken): Wording | null => {
  const { names, session, intervention } = gathering
  const resolved = resolvePronoun(spoken, session)
  if (resolved !== null) {
    const named = wordReport({ ...spoken, clean: resolved.text }, names)
    return named === null
      ? quoteIfWeighty(gathering, spoken)
      : { ...named, items: [resolved.item, spoken.item] }
  }
  const wording = wordReport(spoken, names)
  if (wording === null) return quoteIfWeighty(gathering, spoken)
  if (saysNothing(wording.text) && spoken.topics.length === 0) return null
  if (wording.frame?.form === 'clause' && extendLast(gathering, spoken, { link: '; ', text: wording.text }))
    return null
  // A parent's "she" needs no name: of whom they speak is in the room.
  if (spoken.role === 'unknown' && /^(?:and |but |so )*(?:he|she)\b/i.test(spoken.clean)) return wording
  if (isResponseTo(intervention, spoken)) return wording
  // "He hit me", whoever it was.
  const isGrave = spoken.topics.includes('trauma')
  return wordReference(gathering, spoken) ?? (isGrave ? quoteIfWeighty(gathering, spoken) : null)
}

/** A whole sentence that means nothing without the question before it. */
const wordReference = (gathering: Gathering, spoken: Spoken): Wording | null => {
  const { names, intervention } = gathering
  const wording = wordReport(spoken, names)
  if (wording === null || wording.frame?.form !== 'clause' || isResponseTo(intervention, spoken))
    return wording
  const question = spoken.question
  const asked = question === null ? null : readAsked(names.hide(question.clean)).indirect
  if (asked === null || question === null || isHollow(wording.text)) return null
  // Whoever comes in later in a turn was not asked about.
  if (!spoken.opensTurn && /^(?:and |but |so )*(?:he|she)\b/i.test(spoken.clean)) return null
  const subject = spoken.role === 'client' ? 'client' : 'a participant'
  if (asksNothing.test(question.clean))
    return { text: `${subject} reported ${wording.text}`, frame: null, items: [question.item, spoken.item] }
  return {
    text: `asked ${asked}, ${subject} reported ${wording.text}`,
    bare: `${subject} reported ${wording.text}`,
    frame: null,
    items: [question.item, spoken.item],
  }
}

/** How many sentences may complete an answer. */
const answerSentencesMax = 4

/** A part of more words is a sentence of its own. */
const partWordsMax = 14

/** The first sentences of an answer that mean nothing without the question. */
const wordOpening = (gathering: Gathering, spoken: Spoken): Wording | null => {
  const withSubject = supplySubject(spoken)
  if (withSubject !== null) return wordReport({ ...spoken, clean: withSubject }, gathering.names)
  const group = [spoken]
  for (const next of gathering.session.sentences.slice(spoken.order + 1, spoken.order + answerSentencesMax)) {
    const completes =
      /^(?:that's|it's|that is|it is)\b/i.test(next.clean) &&
      countWords(next.clean) <= 7 &&
      group.length === 1 &&
      readAnswer(spoken.said) === 'other'
    const rates = spoken.question !== null && isRating(spoken.question, spoken.clean) && isCase(next.clean)
    if (next.item !== spoken.item || (isFullClause(next.clean) && !completes && !rates) || next.asks) break
    if (countWords(next.clean) > partWordsMax || isMachineTalk(next.said)) break
    if (countWords(next.clean) > 0) group.push(next)
    else gathering.answered.add(next.order)
  }
  if (continuesBefore(gathering, group)) return null
  const ratedBefore = spoken.question === null ? null : findRatedBefore(gathering, spoken.question)
  // What cannot be put together may be put alone: "Seven. 'Cause of the custody thing."
  for (let length = group.length; length > 0; length--) {
    const taken = group.slice(0, length)
    const wording = wordAnswer(taken, gathering.names, ratedBefore)
    if (wording === null || isSaidAgain(gathering, taken, wording)) continue
    for (const { order } of taken) gathering.answered.add(order)
    return wording
  }
  return wordFragment(spoken, gathering.names)
}

/** "The door handle?" – "No. I didn't do the door handle.": the sentence behind it says what was not done. */
const isSaidAgain = ({ session }: Gathering, taken: readonly Spoken[], { text }: Wording): boolean => {
  const denied = /\bdenied (?<what>the [a-z ]+)$/.exec(text)?.groups?.['what']
  const next = session.sentences[(taken.at(-1)?.order ?? -1) + 1]
  return (
    denied !== undefined &&
    next?.item === taken[0]?.item &&
    next !== undefined &&
    hasNegation(next.clean) &&
    next.clean.toLowerCase().includes(denied)
  )
}

/** "How long has that been going on?" – "Three weeks.": the answer belongs to the sentence before. */
const continuesBefore = (gathering: Gathering, group: readonly Spoken[]): boolean => {
  const [first] = group
  const before = gathering.statements.at(-1)
  const asked = first?.question?.clean ?? ''
  if (first === undefined || before === undefined || before.frame === null) return false
  if (first.item - (before.items.at(-1) ?? 0) > 2) return false
  const answer = wordAnswer(group, gathering.names)
  const rest = (answer?.bare ?? answer?.text)?.replace(/^.*?(?: reported |: )/, '')
  if (answer === null || rest === undefined || rest === answer.text) return false
  const added = wordAddition(asked, rest)
  if (added === null) return false
  const whole = { ...first, clean: group.map(({ clean }) => clean).join(' '), continues: true }
  const isTaken = extendLast(gathering, whole, { link: ' (', text: added, items: answer.items })
  if (isTaken) for (const { order } of group) gathering.answered.add(order)
  return isTaken
}

/** Style: one or two; risk has its own. */
const quotesMax = 2
const weighty: ReadonlySet<Topic> = new Set(['mood', 'trauma', 'psychosis', 'goal'])

const quoteIfWeighty = ({ statements, names }: Gathering, spoken: Spoken): Wording | null =>
  spoken.topics.some((topic) => weighty.has(topic)) &&
  statements.filter(({ text }) => text.includes(' stated, "')).length < quotesMax
    ? wordQuote(spoken, names)
    : null
