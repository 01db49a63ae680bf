import type { Medication } from '../../lexicon/medications.js'
import {
  isOfSomethingElse,
  saysStrength,
  standsBesideName,
  standsWhereDosesStand,
  type SaidDose,
} from './find-doses.js'
import { fitsStrengths, isInRange, isUsualStrength, strengthsOf } from './strengths.js'
import type { SaidNumber } from './said-numbers.js'
import type { Mention, SentenceTalk } from './mention.js'
import { movesDose } from './moves-dose.js'
import { isLikeSaid, isNearSaid, listRecent, opensClause, takesUnits } from './own-dose.js'

/** Smaller numbers count tablets, hours and days more often than they are doses. */
const smallMax = 12
/** "Ten.", "Same dose, ten.": nothing else is said in the sentence. */
const aloneWordsMax = 3
/** "When is it due?" – "Saturday. Forty.": of what was named before the question, if it is sold so. */
const aloneReach = 2
/** A bare number from here on, right behind a name, is a dose whatever is sold. */
const largeMin = 5
const daysMax = 14
/** "Three hundred, in one go.": of several tablets; years, hours and people are seldom so many. */
const roundMin = 100
/** Up to here a number counts tablets, where they are stronger than that: "two at night" of the eights. */
const countMax = 4
const strongMin = 10
const meal = '(?:(?:your|my|his|her|the|a) )?(?:evening )?(?:food|breakfast|lunch|dinner|supper|tea|meals?)'
const whenTaken = new RegExp(
  `^(?: (?:each|total|daily))?,? (?:all )?(?:at (?:night|bed\\w*|lunch\\w*|dinner\\w*|teatime|breakfast|(?:the )?weekends?)|in the (?:morning|evening|afternoon)|a (?:day|night)|twice|once|thrice|(?:two|three|four|five|six|\\d) times\\b|every|each|daily|nightly|weekly|weekdays|weekends|mornings?\\b|nights?\\b|first thing|for (?:a|one|two|three|four|five|six|ten|\\d+) (?:week|month|night|day|fortnight)|for the (?:first|next|time being)|for now|(?:for )?(?:one|two|three|four|a few|another) (?:more )?(?:weeks?|months?|nights?|days?)\\b|to (?:start|begin)(?: with)?\\b|(?:with|for|at) ${meal}|before (?:bed|bedtime|${meal})|after ${meal}|from (?:today|tonight|tomorrow|now|this|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|on (?:the |a )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays|other days|days)|the (?:other|rest of the) (?:days|week|time)|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\\b|tonight|today\\b|and then|then)`,
  'i',
)
/** "Panadol, two, three times a day": so many of them. */
const countedTimes = /^,? (?:two|three|four|five|six|\d) times\b/i
/** "Lunch is eight and dinner's like ten": of what is injected at meals. */
const mealBefore =
  /\b(?:breakfast|lunch|dinner|supper|tea|pasta|mornings?|evenings?|nights?|bedtime)(?:['’]s| is| it's| i do| i take|,)? (?:(?:like|about|maybe) )?$/i
/** "Day four, fifteen", "week two it's fifty": a plan, day by day. */
const followsDay =
  /\b(?:day|week|month) (?:one|two|three|four|five|six|seven|eight|\d{1,2})(?:[,:](?: (?:it['’]s|is|go to|up to))?| (?:it['’]s|is|go to|up to)) $/i
/** Between a dose and the one that follows it: "one for a week, then two", "sixty, eighty a day". */
const followsDose =
  /^(?:[^.;?!]{0,40}\b(?:then|to|or|now|next)\b(?: (?:it was|it's|it is|up to|down to|on to|maybe|back to|go|going to|(?:she|he|they) said))?(?: (?:the|a|about|like|even))?|,|,? and|[^.;?!]{0,10}\b(?:except|but|apart from|other than)\b[^.;?!]{0,50}(?:,|\bthen|it's|i take|take|when it's)) $/i
/** "Twelve in the morning and four at night". */
const followsWhen =
  /^,? (?:in the (?:morning|evening|afternoon)|at (?:night|bedtime|noon|lunch\w*|dinner\w*|tea\w*)|with (?:breakfast|lunch|dinner|supper|food)|morning|evening|night|lunchtime|breakfast|bedtime),?(?: and)? $/i
const placedAtDose =
  /\b(?:the|at|to|on|from|it was|it's|used to (?:be|take|have|do)|had been|i was|were|(?:yours|mine|hers|theirs)(?:['’]s| is| was)|(?:was|were|been|i['’]m|is|are|still) (?:doing|taking|having|using|getting)|(?:took|had|have|take|takes|taking|gave|give|swallowed) (?:my|me|his|her|your|him)|(?:took|had|gave me|like|just) an?|tried) (?:only |just |about |like )?$/i

/** Whether a number without a unit may be a dose, by the words around it and by what its medicine is sold in. */
export const mayBeBareDose = (
  talk: SentenceTalk,
  { start, end, amount }: SaidNumber,
  last: SaidDose | undefined,
): boolean => {
  const { text } = talk.sentence
  const front = text.slice(0, start)
  // "Up to sixty-five, just the five": by how much, not how much.
  if (
    last !== undefined &&
    Number(amount) < Number(last.amount) &&
    /\b(?:just|only|by) (?:the )?$/i.test(front)
  )
    return false
  if (talk.named.length === 0 && isOfSomethingElse(text, start, talk.isDoseAnswer)) return false
  if (talk.named.length === 0 && /\b(?:i smoke|smoking|cigarettes)\b/.test(saidBefore(talk))) return false
  if (last !== undefined && addsUp.test(text.slice(last.end, start))) return false
  // "The Percocets, tens, three a day": how many of them.
  if (
    last !== undefined &&
    /^[1-4]$/.test(amount) &&
    Number.parseFloat(last.amount) > 2 * Number(amount) &&
    text.slice(last.end, start) === ', ' &&
    /^ (?:a day|times|at a time|daily|every)\b/i.test(text.slice(end))
  )
    return false
  // "Forty for five days, thirty for five": days, again.
  if (
    last !== undefined &&
    Number(amount) <= daysMax &&
    text.slice(last.end, start) === ' for ' &&
    /\bfor [\w-]+ (?:days|weeks|nights)\b/.test(talk.sentence.plain)
  )
    return false
  if (isProduct(talk, front, amount, last)) return true
  const isPlaced =
    standsWhereDosesStand(front) || saysStrength.test(text.slice(start, end)) || followsDay.test(front)
  const isTaken =
    (whenTaken.test(text.slice(end)) &&
      !(Number(amount) <= countMax && countedTimes.test(text.slice(end)))) ||
    (mealBefore.test(front) &&
      listRecent(talk).some(
        ({ medication, item }) => takesUnits(medication) && talk.turn.item - item <= answerReach,
      ))
  if (standsByName(talk, { start, end, amount }, isPlaced, isTaken)) return true
  const recent = listRecent(talk)
  const isNext =
    last !== undefined &&
    (followsDose.test(text.slice(last.end, start)) ||
      (isTaken && followsWhen.test(text.slice(last.end, start)))) &&
    ([...talk.named, ...recent].some(({ medication }) => fitsStrengths(medication, amount)) ||
      isMeasuredOut(last, amount))
  if (isNext) return true
  if (!talk.isAbout && !talk.isDoseAnswer) return false
  if (endsSentence(text, start, end) && recent.some((one) => isAnotherOf(talk, one, amount))) return true
  // "Three mils, so that's three hundred": how much is in what was measured out.
  const front30 = text.slice(Math.max(0, start - saysSameReach), start)
  if (
    (last?.unit === 'mL' ? /, (?:so |which is |that's |so that's |or )?$|^$/i : saysSame).test(
      last?.unit === 'mL' ? text.slice(last.end, start) : front30,
    ) &&
    recent.some(
      ({ medication, dose, item }) =>
        talk.turn.item - item <= 1 &&
        dose?.unit === 'mL' &&
        Number(amount) > smallMax &&
        isInRange(medication, amount),
    )
  )
    return true
  if (recent.some((one) => isWeighed(talk, one, { amount, start, end }))) return true
  // "His EpiPen. The point one five."
  if (
    amount.startsWith('0.') &&
    talk.recent.some(
      ({ medication, item }) => talk.turn.item - item <= answerReach && isUsualStrength(medication, amount),
    )
  )
    return true
  const isFraction = amount.includes('.')
  // Nothing else is said in thousandths.
  if (/\.\d{3}$/.test(amount) && talk.named.length > 0) return true
  if (/\.\d{3}$/.test(amount) && recent.some(({ item }) => talk.turn.item - item <= answerReach)) return true
  if (isEnclosed(text, start, end) && recent.some((one) => isJustNamed(talk, one, amount))) return true
  if (
    goesTo.test(front) &&
    /^(?:[.,;?!]|$| (?:in|for|from|next|if|and|then|at|like|as|because|since|unless|until|when|though|so|with|after|over)\b)/.test(
      text.slice(end),
    ) &&
    recent.some(({ medication }) => medication.usualStrengths.length > 0 && fitsStrengths(medication, amount))
  )
    return true
  // Nothing else is said in hundredths.
  if (amount.startsWith('0.0') && recent.some(({ item }) => talk.turn.item - item <= answerReach)) return true
  if (
    isFraction &&
    recent.some(
      ({ medication, item }) =>
        isUsualStrength(medication, amount) ||
        talk.isDoseAnswer ||
        // "Venlafaxine seventy-five, they want one twelve." – "One twelve point five is fine."
        (Number(amount) > smallMax &&
          talk.turn.item - item <= answerReach &&
          fitsStrengths(medication, amount)) ||
        (talk.turn.item - item <= 1 && placedAtDose.test(front) && fitsStrengths(medication, amount)) ||
        (isPlaced &&
          /\b(?:start|stay|go|going|keep|hold|down|up|drop|try|do|tak(?:e|ing))\b/.test(
            talk.sentence.plain,
          ) &&
          isLikeSaid(talk, medication, amount)) ||
        (isTaken && medication.usualStrengths.length > 0 && fitsStrengths(medication, amount)),
    )
  )
    return true
  if (
    opensWith.test(front) &&
    isSpokenOf.test(text.slice(end)) &&
    recent.some(
      ({ medication, item }) =>
        talk.turn.item - item <= 1 &&
        isUsualStrength(medication, amount) &&
        !countsTablets(medication, amount),
    )
  )
    return true
  const isAlone =
    talk.sentence.plain.split(' ').length <= aloneWordsMax &&
    recent.some(
      ({ item, medication }) =>
        talk.turn.item - item <= 1 ||
        (talk.turn.item - item <= aloneReach &&
          Number(amount) > smallMax &&
          isUsualStrength(medication, amount)),
    )
  const isOpening = opensWith.test(front) && /^\s*(?:[,.?!]|$)/.test(text.slice(end))
  if (
    isOpening &&
    recent.some(
      ({ medication, item }) =>
        talk.turn.item - item <= (talk.isDoseAnswer ? answerReach : 1) &&
        (isUsualStrength(medication, amount) ||
        (Number(amount) >= roundMin && fitsStrengths(medication, amount))
          ? !countsTablets(medication, amount)
          : takesUnits(medication) || (talk.isDoseAnswer && medication.usualStrengths.length === 0)),
    )
  )
    return true
  if (!isPlaced && !isTaken && !isAlone) return false
  const isAtDose = placedAtDose.test(front) || saysStrength.test(text.slice(start, end))
  const isSmall = Number(amount) <= smallMax
  if (isSmall && !isAlone && !talk.isDoseAnswer && !isTaken && !isAtDose) return false
  const isDecided = isTaken || talk.isDoseAnswer || movesDose.test(talk.sentence.plain)
  const wasTaken = /\b(?:was|were|been|used to be) (?:doing|taking|having|using|on|at) $/i.test(front)
  return recent.some(
    ({ medication, item }) =>
      ((isDecided || (wasTaken && talk.turn.item - item <= 1)) &&
        Number(amount) > 1 &&
        takesUnits(medication)) ||
      (isDecided && !isSmall && isNearSaid(talk, medication, amount)) ||
      (isTaken &&
        isPlaced &&
        talk.turn.item - item <= answerReach &&
        Number(amount) > countMax &&
        isInRange(medication, amount) &&
        isLikeSaid(talk, medication, amount)) ||
      (isUsualStrength(medication, amount) && (isAtDose || !countsTablets(medication, amount))) ||
      (medication.usualStrengths.length > 0 &&
        (!isSmall || movesDose.test(talk.sentence.plain)) &&
        (fitsStrengths(medication, amount) || (isPlaced && isTaken && isInRange(medication, amount)))),
  )
}

/** "Six mils for a week and then seven and a half": of a liquid any amount may be poured. */
export const isMeasuredOut = ({ unit, amount: before }: SaidDose, amount: string): boolean =>
  unit === 'mL' && Number(amount) <= 2 * Number(before) && Number(amount) >= Number(before) / 2

/** "Three hundred and fifty, seven mil", "three mils, so that's three hundred": how much is in what is poured. */
export const isWeighed = (
  { sentence: { text }, turn }: SentenceTalk,
  { medication, dose, item }: Pick<Mention, 'medication' | 'dose' | 'item'>,
  { amount, start, end }: SaidNumber,
): boolean =>
  Number(amount) > smallMax &&
  isInRange(medication, amount) &&
  ((turn.item - item <= answerReach &&
    /^, (?:so |that['’]s |which is )?[\w.-]+(?: and a half)? ?(?:mils?|mls?|mills?|millilit(?:er|re)s?)\b/i.test(
      text.slice(end),
    )) ||
    (turn.item - item <= 1 &&
      dose?.unit === 'mL' &&
      (saysSame.test(text.slice(Math.max(0, start - saysSameReach), start)) ||
        /\b(?:mils?|mls?), (?:so |or )?$/i.test(text.slice(Math.max(0, start - saysSameReach), start)))))

const saidBefore = ({ sentence, turn }: SentenceTalk): string => turn.sentences[sentence.at - 1]?.plain ?? ''

const pieces: Readonly<Record<string, number>> = {
  half: 0.5,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  eight: 8,
  ten: 10,
}
const countedBefore =
  /\b(?<count>half|one|two|three|four|five|six|eight|ten|\d{1,2})(?: of)?(?: (?:a|the|my|your|those|them|these))* $/i
const makesSum =
  /(?:^|[,.] )(?:(?:okay|right|and|yeah)[, ]+)?(?:so|so that's|that's|which is|that makes|makes)(?: it| about)? (?:a )?$/i
/** Half a tablet to ten of them. */
const sums = new Set([0.5, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10])

/** "Eight of the five milligrams, so forty", "the fifties, two." – "So a hundred.": pieces times their strength. */
const isProduct = (
  talk: SentenceTalk,
  front: string,
  amount: string,
  last: SaidDose | undefined,
): boolean => {
  if (!makesSum.test(front)) return false
  if (last !== undefined) {
    const count = countedBefore.exec(front.slice(0, last.start))?.groups?.['count']?.toLowerCase() ?? ''
    return (pieces[count] ?? Number(count)) * Number(last.amount) === Number(amount)
  }
  const [spoken] = listRecent(talk)
  return (
    spoken?.dose != null &&
    !spoken.dose.isCount &&
    talk.turn.item - spoken.item <= 1 &&
    sums.has(Number(amount) / Number(spoken.dose.amount))
  )
}

/** "We could go to three": with a number that its medicine is taken in. */
const goesTo = /\b(?:go|going|went|move|get|room) (?:you |it |straight |right )?to $/i

/** "The extra strength, five hundred, two before bed." */
const isEnclosed = (text: string, start: number, end: number): boolean =>
  text.slice(0, start).endsWith(', ') && /^(?:[,.;?!]|$)/.test(text.slice(end))

const isJustNamed = (talk: SentenceTalk, { medication, item }: Mention, amount: string): boolean =>
  talk.turn.item - item <= 1 && Number(amount) > countMax && isUsualStrength(medication, amount)

/** "Cut it in half if I need it, twenty-five.", "two tablets, fifteen hundred total." */
const endsSentence = (text: string, start: number, end: number): boolean =>
  /, (?:so |which is )?$/i.test(text.slice(0, start)) &&
  /^(?: (?:total|in total|altogether|in all))?[.?!]?$/i.test(text.slice(end))

/** An amount of what was just spoken of, and like a dose that was said of it. */
const isAnotherOf = (talk: SentenceTalk, { medication, item }: Mention, amount: string): boolean =>
  talk.turn.item - item <= answerReach &&
  Number(amount) > smallMax &&
  isLikeSaid(talk, medication, amount) &&
  (takesUnits(medication) || fitsStrengths(medication, amount))

/** "Five hundred milligrams five times, so twenty-five hundred": what is taken in all is no dose. */
const addsUp =
  /^[^.;?!]{0,30}\b(?:times|twice)\b[^.;?!]{0,20}\b(?:so|total|that's|makes|altogether)(?: (?:that's|about|like))? $/i
const saysSameReach = 30
const saysSame =
  /(?:^|[,.] )(?:(?:so|okay|yeah|and)[, ]{1,3}){0,4}(?:that's|which is|that is|that'd be|it's|so) (?:about |like )?$/i
/** Asked for, a dose is of what was named shortly before the question. */
const answerReach = 3
/** "Ten, I think", "Forty, yeah": the sentence begins with it and goes on to something else. */
const opensWith = /^(?:(?:um|uh|yeah|yes|no|oh|the|so|it's|at|on)[\s,]+)*$/i

/** "Two wasn't touching it", "ten is my number": told of a dose. */
const isSpokenOf =
  /^ (?:is|was|isn['’]t|wasn['’]t|did|didn['’]t|does|doesn['’]t|made|makes|knock(?:s|ed)|gave|gives|help(?:s|ed)|work(?:s|ed)|seem(?:s|ed)|felt|feels|held|holds|ought|should|would|might|will|can|could|may)\b(?! (?:o['’]clock|when|the (?:time|last)))|^['’]s (?:a (?:big|small|lot|high|low|good|start|bit)|been|not|too|fine|plenty|enough|my|what|where)\b/i

/** "Up to ten at night on the Lantus". */
const onName =
  /^(?:,? (?:at (?:night|bedtime)|in the (?:morning|evening)|(?:once |twice )?a day|daily|every (?:day|night|morning)))?,? (?:on|of|for)(?: (?:the|my|your|her|his|that|this))? $/i

const countsTablets = (medication: Medication, amount: string): boolean =>
  Number(amount) <= countMax && /^\d+$/.test(amount) && Math.max(...strengthsOf(medication)) > strongMin

/** "From a thousand to twelve-fifty, wasn't it, the lithium." */
const endsInTag =
  /^[^.;?!]{0,30}, (?:(?:was|is|were|are|did|do|does)n['’]t (?:it|that|you|we|they|he|she)|right|yeah|no),? (?:(?:of|on|for) )?(?:the |your |her |his )?$/i

/** "Clonidine for sweats, point one", "the Lexapro after Mammy, ten it is". */
const saysWhatFor =
  /^[,.]? (?:for|after|since|from|that's|which is|it's)(?: [\w'-]+){1,5}[,.] (?:it's |that's )?$/i

/** "Sertraline, fifty", "nine hundred of lithium", "from thirty to forty on the Vyvanse". */
const standsByName = (
  { sentence: { text, plain }, named }: SentenceTalk,
  { start, end, amount }: SaidNumber,
  isPlaced: boolean,
  isTaken: boolean,
): boolean => {
  const value = Number(amount)
  const isSmall = value <= smallMax
  const before = named.findLast((one) => one.end <= start)
  if (before !== undefined) {
    const { medication } = before
    const isUsual = isUsualStrength(medication, amount)
    const isBeside = standsBesideName(text.slice(before.end, start))
    if (
      isBeside &&
      (isUsual ||
        (amount.includes('.') && (medication.usualStrengths.length === 0 || isInRange(medication, amount))) ||
        (value >= largeMin && (!isSmall || isTaken || fitsStrengths(medication, amount))))
    )
      return true
    if (isUsual && (!isSmall || isPlaced || isTaken)) return true
    const isLikely = isUsual
      ? !countsTablets(medication, amount)
      : medication.usualStrengths.length === 0 && !isSmall
    if (isLikely && saysWhatFor.test(text.slice(before.end, start))) return true
    if (isUsual && (value > countMax || amount.includes('.')) && isEnclosed(text, start, end)) return true
    // "Six with breakfast, eight with dinner": units, of which any number may be given.
    if (isTaken && value > 1 && takesUnits(medication)) return true
    if ((isPlaced || isTaken) && isInRange(medication, amount) && (!isSmall || isTaken)) return true
    if (isPlaced && movesDose.test(plain) && fitsStrengths(medication, amount)) return true
  }
  const behind = named.find((one) => one.start >= end)
  if (behind === undefined) return false
  const between = text.slice(end, behind.start)
  if (onName.test(between) && isPlaced && fitsStrengths(behind.medication, amount)) return true
  if (/^(?: of)?(?: (?:the|my|your|a|that))* $/i.test(between))
    return (
      isUsualStrength(behind.medication, amount) ||
      (!isSmall && fitsStrengths(behind.medication, amount)) ||
      (amount.includes('.') && isInRange(behind.medication, amount))
    )
  if (endsInTag.test(between) && isPlaced && fitsStrengths(behind.medication, amount)) return true
  return (
    before === undefined &&
    isPlaced &&
    isUsualStrength(behind.medication, amount) &&
    !opensClause.test(between)
  )
}
