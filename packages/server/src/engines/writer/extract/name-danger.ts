import type { DangerElement, DangerFinding, DangerMatter, Standing } from '../../reader/reading.js'
import { readAnswer } from '../../text/read-answer.js'
import { countWords } from '../../text/tokenize-words.js'
import type { Said, Talk } from './read-turns.js'

const names: Readonly<Record<DangerMatter, Readonly<Partial<Record<DangerElement, string>>>>> = {
  suicide: {
    thoughts: 'Suicidal thoughts',
    wish_to_be_dead: 'Wish to be dead',
    plan: 'Suicide plan',
    intent: 'Suicidal intent',
    means: 'Means for suicide',
    preparation: 'Preparation for suicide',
    attempt: 'Suicide attempt',
    act: 'Suicidal act',
    threat: 'Threat of suicide',
    commands: 'Voices that command suicide',
    unspecified: 'Suicide',
  },
  self_harm: { thoughts: 'Thoughts of self-harm', plan: 'Plan of self-harm', unspecified: 'Self-harm' },
  harm_to_others: {
    thoughts: 'Thoughts of harming others',
    plan: 'Plan to harm others',
    intent: 'Intent to harm others',
    means: 'Means for harming others',
    threat: 'Threat to others',
    commands: 'Voices that command harm to others',
    violence: 'Violence toward others',
    act: 'Violence toward others',
    unspecified: 'Harm to others',
  },
  abuse: {
    violence: 'Violence or abuse',
    neglect: 'Neglect',
    control: 'Control by another person',
    threat: 'Threats by another person',
    unspecified: 'Abuse or neglect',
  },
  psychosis: {
    voices: 'Voices',
    commands: 'Commanding voices',
    beliefs: 'Unusual beliefs',
    unspecified: 'Psychosis',
  },
}

/** Words without one of which the name of an element is more than was said. */
const elementWords: Readonly<Partial<Record<DangerElement, RegExp>>> = {
  thoughts:
    /\b(?:thoughts?|think\w*|thought|idea\w*|suicid\w*|kill\w*|end(?:ing)? (?:it|my|your)|hurt\w*|harm\w*|cut\w*)\b/i,
  wish_to_be_dead:
    /\b(?:dead|die|dying|death|alive|(?:not|never) wake|n['’]t wake|living|live|be here|exist|(?:be|where) (?:with )?(?:her|him|she|he))\b/i,
  plan: /(?<!\bsafety )\b(?:plan\w*|how (?:you|i|he|she)(?:['’]d| would| might)|method|counted|way to)\b/i,
  intent: /\b(?:intend\w*|intent\w*|act on|do it|going to|gonna|would (?:you|i)|make that happen|might)\b/i,
  means:
    /\b(?:guns?|rifles?|pistols?|shotguns?|firearms?|weapons?|pills?|tablets?|kni(?:fe|ves)|rope|morphine|drugs|means|access|lock\w*|safe|stockpil\w*|razors?|blades?|bottle)\b/i,
  attempt: /\b(?:attempt\w*|tried|try|took|swallow\w*|overdos\w*|hang\w*|hung|shot)\b/i,
  voices: /\b(?:voices?|hear\w*|see\w*|saw|talking)\b/i,
  beliefs:
    /\b(?:believ\w*|think\w*|thought|watch\w*|follow\w*|track\w*|listen\w*|messages?|signs?|poison\w*|after (?:me|you)|cameras?|chips?|spy\w*|plot\w*)\b/i,
  violence:
    /\b(?:hit\w*|beat\w*|belt|punch\w*|slap\w*|kick\w*|push\w*|shov\w*|grab\w*|chok\w*|strangl\w*|hurt\w*|harm\w*|hands on|abus\w*|violen\w*|fight\w*|fought|broke|thr[eo]w\w*|bruis\w*|rape\w*|molest\w*|touch\w*|forc\w*|stab\w*|attack\w*|assault\w*)\b/i,
  commands: /\b(?:tell\w*|told|command\w*|say\w*|said)\b/i,
  threat: /\b(?:threat\w*|kill|hurt|gonna|going to|will|would|said)\b/i,
}

const negates = /\b(?:no|not|never|none|nothing)\b|n['’]t\b/i
/** "So no plan?", "You've no plan.": a no agrees, a yes may be either. */
export const asksForNo =
  /^(?:(?:so|and|but|okay|then),? )*(?:no|not|nothing|never|none|you(?:['’]re| are)? not|you \w+n['’]t)\b|\b(?:have|['’]ve|got|with) no\b/i
const isOpenQuestion = /^(?:(?:and|so|but|okay|well),? )*(?:how|what|when|where|who|why|which)\b/i
/** What was there, and may be gone. */
const isGone =
  /\b(?:was|were|had|gave|used to|sold|got rid|gone|locked|keeps|safe|combination|cabinet|handed|(?:brother|sister|friend|father|dad|mother|mom|mum|uncle|cousin|neighbou?r|son|daughter|husband|wife)['’]s)\b/i

const isOfDying =
  /\b(?:suicid\w*|kill\w*|dead|die|dying|death|end(?:ing)? (?:it|my|your|things)|(?:your|my|own) life|alive|to live|be here|wake up|overdos\w*|hang(?:ed|ing)? (?:my|your|him|her)self|better off)\b/i
/** Elements of suicide that other matters have, too: without a word for dying it may be theirs. */
const needsDying: ReadonlySet<DangerElement> = new Set(['thoughts', 'attempt', 'act', 'threat'])
const isOfHarmToOthers =
  /\b(?:hurt|harm)\w* (?:him|her\b(?!self)|them\b(?!sel)|the (?:baby|kids|children)|any(?:one|body)|some(?:one|body)|others?|people)\b/i
const isOfCutting = /\b(?:sharpener|razors?|blades?|cut(?:s|ting)?|scratch\w*|burn\w*)\b/i
const isOfThoughts = /\b(?:thoughts?|think\w*|thought|urges?|want\w*|feel(?:ing)? like|ideas?|tempted)\b/i

const namesOther =
  /\b(?:he|she|they|him|her|his|their|mom|mum|mother|dad|father|parents?|sister|brother|son|daughter|wife|husband|partner|boyfriend|girlfriend|friend|uncle|aunt|cousin|grand\w+|neighbou?r|roommate|boss|\p{Lu}\p{Ll}+)\b/u

/** "Suicidal thoughts (past): denied". Where the quoted words do not bear it out, they stand alone; then null. */
export function nameDanger(
  { matter, element, time, whose, standing }: DangerFinding,
  quoted: readonly Said[],
  talk: Talk,
): string | null {
  const words = quoted.map(({ raw }) => raw).join(' ')
  const name = nameElement(matter, element, { whose, words })
  const isWorded = (text: string): boolean => elementWords[element]?.test(text) !== false
  if (name === undefined || element === 'unspecified' || !isWorded(words)) return null
  // "Thoughts of hurting yourself" are not thoughts of suicide.
  if (
    matter === 'suicide' &&
    !isOfDying.test(words) &&
    (needsDying.has(element) || isOfHarmToOthers.test(words))
  )
    return null
  // "I use the blade out of a sharpener": what somebody cuts with is no means for suicide.
  if (matter === 'suicide' && element === 'means' && isOfCutting.test(words) && !isOfDying.test(words))
    return null
  if (whose === 'other' && !namesOther.test(words)) return null
  const at = quoted.findLastIndex((said) => said.speaker === 'clinician')
  const question = quoted[at]
  // What was asked back, or said by another meanwhile, stands between: nobody can say what the rest answers.
  if (question !== undefined && !isNext(quoted[at + 1], question, talk)) return null
  const told = quoted.slice(at + 1)
  // Of two who answer, one may speak of something else.
  if (question !== undefined && new Set(told.map(({ speaker }) => speaker)).size > 1) return null
  const answers = withoutEcho(told.map(({ text }) => text))
  const isToldByAnswer = isWorded(answers.join(' '))
  // What a clinician says of it, and nobody answers, is as it was said.
  if (question !== undefined && answers.length === 0) return null
  const isPlainQuestion = question === undefined || (question.asks && !isOpenQuestion.test(question.text))
  if (!isPlainQuestion && !isToldByAnswer) return null
  const remarks = [time === 'past' ? 'past' : '', whose === 'other' ? 'another person' : ''].filter(Boolean)
  const held = holdStanding(standing, { question, answers, isToldByAnswer })
  if (held === 'denied' && asksForMore.test(question?.raw ?? '')) return null
  // "Is she the housemate?" "No, she took an overdose.": the no is to something else.
  const asked = quoted.filter((said) => said.turn === question?.turn).map(({ raw }) => raw)
  if (held === 'denied' && !isWorded(asked.join(' '))) return null
  // "Did you act on it?": on an urge to cut, perhaps.
  if (held === 'affirmed' && matter === 'suicide' && element === 'intent' && !isOfDying.test(words))
    return null
  const isGunsOnly =
    element === 'means' && namesGuns.test(words) && !namesOtherMeans.test(question?.raw ?? '')
  // "Was. Ruth's husband came for them." and "He's never hit me. He stands in the door."
  const isDoubtful =
    (element === 'means' && isGone.test(answers.join(' '))) ||
    (element === 'violence' && negates.test(answers[0] ?? ''))
  return `${isGunsOnly ? 'Weapons within reach' : name}${remarks.length > 0 ? ` (${remarks.join(', ')})` : ''}: ${isDoubtful && held === 'affirmed' ? 'unclear' : held}`
}

/** Whether an answer follows its question, but for what only shows that somebody listens. */
const isNext = (answer: Said | undefined, question: Said, { sentences }: Talk): boolean =>
  answer === undefined ||
  sentences
    .slice(question.index + 1, answer.index)
    .every((said) => said.isBackchannel || said.turn === question.turn)

function nameElement(
  matter: DangerMatter,
  element: DangerElement,
  { whose, words }: { whose: DangerFinding['whose']; words: string },
): string | undefined {
  // Of another's death it is seldom said which of the two it was.
  const isAct = element === 'attempt' || element === 'act'
  if (matter === 'suicide' && whose === 'other' && isAct && !/\b(?:tried|attempt\w*)\b/i.test(words))
    return 'Suicide or attempt'
  // "I used to cut" tells of more than thoughts.
  if (matter === 'self_harm' && element === 'thoughts' && !isOfThoughts.test(words)) return 'Self-harm'
  return names[matter][element]
}

/** "Anybody hurting you?" "Me? No.": what is asked back is no answer. */
const withoutEcho = (answers: readonly string[]): readonly string[] =>
  answers.length > 1 && (answers[0] ?? '').endsWith('?') && countWords(answers[0] ?? '') <= echoWordsMax
    ? answers.slice(1)
    : answers
const echoWordsMax = 3

/** "Do you feel safe at home?" "No.": the no says the danger. */
const asksForGood =
  /\b(?:safe|okay|all right|alright|want to (?:live|be here)|reasons? to|stop(?:ped|s)? you|hold(?:s|ing)? you|protect\w*)\b/i
/** "Is the gun out of the house?", "Are the voices gone?", "Do you deny it?": neither yes nor no is of the danger itself. */
const asksForEnd =
  /\b(?:gone|stop(?:ped|ping|s)?|quit|rid of|free of|removed|sold|locked|den(?:y|ies|ied|ying)|(?:go|goes|went|put|taken|took|given|gave)(?: \w+)? away|moved out|over with|out of (?:(?:the|your|his|her|their) )?(?:house|home|reach|apartment|flat|room|car|garage|place))\b|\b(?:is|are|was|were|all)(?: \w+){0,3} over\?/i
/** "Any other attempts?": a no leaves the one that is known. */
const asksForMore = /\b(?:other|another|others|else|besides|apart from|since|again|more)\b/i
const namesGuns = /\b(?:guns?|rifles?|pistols?|shotguns?|firearms?|weapons?)\b/i
const namesOtherMeans = /\b(?:pills?|tablets?|medicines?|medications?|rope|knives|means|anything)\b/i

/** What takes a no back, or may: "No. I mean, not today." */
const takesBack =
  /\bbut\b(?! (?:no|nah|nope|not that|never|i(?:['’]d| would) never|i want to (?:live|be here))\b)|\b(?:except|although|though|sometimes|used to|now and then|(?<!not |not even )once|maybe|might|wish|i mean|not (?:really|exactly|today|tonight|yet)|until|unless|wouldn['’]t mind|just|only|on its own|thought (?:of|about)|think (?:of|about)|kind of|sort of)\b/i
/** Denies nothing: "They come. I won't lie to you." */
const idleNo = /\bi(?:['’]m| am)? (?:won['’]t|can['’]t|not (?:going to|gonna)) lie(?: to you)?\b/gi
/** "And no thoughts of suicide, no plans?": to it a no agrees. Of "you don't want to live?" nobody can say. */
const namesNone = /^(?:(?:so|and|but|okay|then|no),? )*(?:no|none|nothing|never|nobody) (?!more\b|longer\b)/i
const bareYesWordsMax = 3
/** "I'd never hurt anybody. I don't think about it.": a no in every sentence, and nothing that takes it back. */
const deniesPlainly = (answers: readonly string[], all: string): boolean =>
  answers.every((one) => negates.test(one)) && countWords(all) <= plainNoWordsMax && !takesBack.test(all)

/** Of a longer answer nobody can say what it comes to. */
const plainNoWordsMax = 20

/**
 * The mark beside a quote is held against the quote: "denied" needs a question and nothing but a no, "affirmed" a yes, or its own
 * words without a no among them, and not as the answer to "no plan?". Everything else is for the clinician to read.
 */
function holdStanding(
  standing: Standing,
  told: { question: Said | undefined; answers: readonly string[]; isToldByAnswer: boolean },
): Standing {
  const { question, answers, isToldByAnswer } = told
  const all = answers.join(' ').replaceAll(idleNo, '')
  const isToldPlainly = isToldByAnswer && !negates.test(all)
  const [first] = answers
  if (question === undefined || first === undefined) {
    if (standing === 'affirmed' && isToldPlainly) return 'affirmed'
    return standing === 'denied' && isToldByAnswer && deniesPlainly(answers, all) ? 'denied' : 'unclear'
  }
  const answer = readAnswer(first)
  if (answer === 'no')
    return !asksForGood.test(question.raw) &&
      !asksForEnd.test(question.raw) &&
      (!asksForNo.test(question.raw) || namesNone.test(question.raw)) &&
      countWords(all) <= plainNoWordsMax &&
      !takesBack.test(all)
      ? 'denied'
      : 'unclear'
  // "Does he hit you?" "He has.": of a bare yes nobody need ask more.
  if (
    answer === 'yes' &&
    standing !== 'denied' &&
    countWords(all) <= bareYesWordsMax &&
    !asksForNo.test(question.raw) &&
    !asksForGood.test(question.raw) &&
    !asksForEnd.test(question.raw)
  )
    return 'affirmed'
  if (standing !== 'affirmed' || asksForNo.test(question.raw)) return 'unclear'
  if (asksForEnd.test(question.raw) && !isToldPlainly) return 'unclear'
  return answer === 'yes' || isToldPlainly ? 'affirmed' : 'unclear'
}
