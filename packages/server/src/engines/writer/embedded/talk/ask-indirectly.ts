import { expandContractions } from '../../text/expand-contractions.js'
import { hasNegation } from '../../text/find-negation.js'
import { removeDisfluencies } from '../../text/remove-disfluencies.js'
import { hasSecondVerb, lowerFirst } from '../../text/report-speech.js'
import { shiftSecondPerson } from '../../text/shift-person.js'
import { baseOfIrregular, toGerund, toPast, toThirdSingular } from '../../text/verb-forms.js'

export interface Asked {
  /** What a "no" denies and a "yes" endorses: "thoughts of hurting themselves", "taking it every night". */
  matter: string | null
  /** After "asked": "whether it is locked", "how many hours they are sleeping", "about the drinking". */
  indirect: string | null
  /** Asks for more than yes or no. */
  isOpen: boolean
  /** What is put to the client for a yes: "You are on 900 a day, right?" */
  statement: string | null
}

const auxiliary = 'are|is|was|were|do|does|did|have|has|had|can|could|would|will|should'
const opening = new RegExp(
  `(?:^|[,:;.—-] ?)(?:and |so |but |then |or )*((?:what|when(?= (?:are|is|was|were|do|does|did|have|has|will|would|can)\\b)|where|who|why|how|which|${auxiliary}|any|on a scale|in the past|in the last|right now)\\b.*)$`,
  'i',
)

const tag =
  /^(?<statement>.+), (?:is that (?:still )?(?:right|correct)|right|correct|yeah|isn't (?:it|that right))$/i

/** "You've put on nine pounds since spring?": said, for the client to confirm. */
const declared = /^you (?:have|are|were|had|took|started|stopped|quit|lost|moved|got|went|said) .+$/i

/** "And the Suboxone, are you still on it?": what "it" is stands before the question. */
const nameTopic = (question: string): string => {
  const parts =
    /^(?:(?:and|so|okay|but|now)[, ]+)*(?<topic>(?:the|your|that) [a-z ]{3,25}), (?<asked>(?:are|is|was|do|does|did|have|has|how|what|when)\b.+)$/i.exec(
      question,
    )?.groups
  const { topic = '', asked = '' } = parts ?? {}
  return parts !== undefined && /\b(?:it|them|that)\b/i.test(asked)
    ? asked.replace(/\b(?:it|them|that)\b/i, lowerFirst(topic))
    : question
}

export const readAsked = (question: string): Asked => {
  const whole = nameTopic(expandContractions(removeDisfluencies(question)).replace(/[?.!\s]+$/, ''))
    // "How has, how have the last two weeks been"
    .replace(/^(how|what|when|where|who) \w+, (?=\1\b)/i, '')
    // "Any thoughts like that at all, like wishing you were dead"
    .replace(/ like that(?: at all)?,? like /i, ' of ')
    .replace(/\byou (?:two|guys|all)\b/gi, 'you')
  const first = whole
    .replace(/^on a scale (?:of|from) \w+ to (?:a )?\w+,? /i, '')
    .replace(
      /^((?:how|what|are|is|do|did|have|when|where)\b.{6,}?), (?:and |or )?(?:(?:what|when|where|who|why|how) (?:are |is |do |did |have )?|(?:are|is|do|did|have|would|could) )(?:you|it|that|there|they)\b.*$/i,
      '$1',
    )
  const plain = first.replace(
    /,? (?:is that (?:right|okay|alright)|right|if you do not mind me asking|at all|at any (?:point|time)|ever|then|today)$/i,
    '',
  )
  const clause = (opening.exec(plain)?.[1] ?? plain).replace(
    /^ever (?=\w+(?:ed|en|ad|ught|ied)\b)/i,
    'have you ever ',
  )
  const told =
    /^(?:so |and |okay |now )*(?:tell me(?: more| a little)?|walk me through|describe|say more) (?<about>.+)$/i.exec(
      plain,
    )?.groups?.['about']
  if (told !== undefined) {
    const about = /^(?:about|what|how|where|when|why)\b/i.test(told) ? told : `about ${told}`
    return {
      matter: null,
      indirect: shiftSecondPerson(about, { isNamed: true }),
      isOpen: true,
      statement: null,
    }
  }
  const isOpen = /^(?:what|when|where|who|why|how|which|on a scale)\b/i.test(clause)
  const they = (text: string): string =>
    shiftSecondPerson(lowerFirst(text), { isNamed: true })
      .replace(/\bour\b/gi, 'their')
      .replace(/\bwe\b/gi, 'they')
      .replace(/\bus\b/gi, 'them')
      .replace(/\bI\b/g, 'clinician')
      .replace(/\bme\b/g, 'clinician')
  const matter = isOpen ? null : findMatter(clause)
  const statement = tag.exec(whole)?.groups?.['statement']
  const put = statement ?? declared.exec(whole)?.[0]
  if (put !== undefined) {
    const said = they(put)
    return { matter: null, indirect: `whether ${said}`, isOpen: false, statement: said }
  }
  return {
    matter: matter === null ? null : they(matter),
    indirect: toIndirect(clause, isOpen, they),
    isOpen,
    statement: null,
  }
}

const patterns: readonly [RegExp, (match: RegExpExecArray) => string | null][] = [
  [/^(?:any|no)(?: other)? (.+)$/i, (match) => match[1] ?? null],
  [
    /^(?:are|is|was|were|do|does|did|have|has|had)\b.*?\b(?:have|having|had|get|getting|got|feel|feeling|felt|notice|noticed|noticing|experienc\w+|been|on|there) any (.+)$/i,
    (match) => match[1] ?? null,
  ],
  [/^is (?:that|it|this) (an? (?:thought|plan|wish|urge|intention) .+)$/i, (match) => match[1] ?? null],
  [/^have you (?:ever |also )?had (?:any )?(.+)$/i, (match) => match[1] ?? null],
  [/^(?:are|is) there (?:any |a |an )?(.+)$/i, (match) => match[1] ?? null],
  [/^are you (?:still )?(?:having|experiencing|getting) (.+)$/i, (match) => match[1] ?? null],
  [
    /^(?:are|were) you ((?:still |also |currently )?)(\w+ing)\b(.*)$/i,
    (match) => `${match[1] ?? ''}${match[2] ?? ''}${match[3] ?? ''}`,
  ],
  [/^(?:are|were) you (.+)$/i, (match) => `being ${match[1] ?? ''}`],
  [/^have you (?:ever |also )?been (\w+ing)\b(.*)$/i, (match) => `${match[1] ?? ''}${match[2] ?? ''}`],
  [
    /^(?:do|did|would|can|could) you (?:ever |also |still )?(\w+)\b(.*)$/i,
    (match) => asGerund(match[1] ?? '', match[2] ?? ''),
  ],
  [/^(?:have|had) you (?:ever |also )?(\w+)\b(.*)$/i, (match) => asGerund(match[1] ?? '', match[2] ?? '')],
]

const findMatter = (clause: string): string | null => {
  for (const [pattern, read] of patterns) {
    const match = pattern.exec(clause)
    if (match !== null) return read(match)
  }
  return isNounPhrase(clause) ? clause.replace(/^(?:and|or|what about|how about) /i, '') : null
}

const asGerund = (verb: string, rest: string): string | null => {
  const lower = verb.toLowerCase()
  if (
    hasSecondVerb(rest) ||
    /\b(?:or|and) \w+ (?:things|it|them)\b/i.test(rest) ||
    (lower === 'want' && !/^ to (?:die|live|hurt|kill|be alive)\b/i.test(rest)) ||
    lower === 'you'
  )
    return null
  const base = baseOfIrregular(lower) ?? (/[^e]ed$/.test(lower) ? null : lower)
  const gerund = base === null ? lower.replace(/ied$/, 'ying').replace(/ed$/, 'ing') : toGerund(base)
  return `${gerund}${rest}`
}

const isNounPhrase = (clause: string): boolean =>
  clause.split(' ').length <= 8 &&
  !/^(?:how|when|where|why|who)\b/i.test(clause) &&
  !/\b(?:you|I|we|is|are|was|were|do|does|did|have|has|will|would|can|could|should|it|that|this|now)\b/i.test(
    clause,
  )

const toIndirect = (clause: string, isOpen: boolean, they: (text: string) => string): string | null => {
  const any = /^any(?: other)? (.+)$/i.exec(clause)
  if (any !== null) return `about ${they(any[1] ?? '')}`
  if (isNounPhrase(clause))
    return `about ${they(clause.replace(/^(?:and|or|any|what about|how about) /i, ''))}`
  const about =
    /^(?:how|what) (?:about|is|are|was|were|has|have) ((?:your|the) [a-z' ]+?)(?: been| going| doing| these days| lately| right now| this week| in general| since(?: .*)?)*$/i.exec(
      clause,
    )
  if (about !== null) return `about ${they(about[1] ?? '')}`
  const thing = /^what is (one thing .+|.+ that .+)$/i.exec(clause)
  if (thing !== null) return `about ${they(thing[1] ?? '')}`
  const went = /^how did (.+) go$/i.exec(clause)
  if (went !== null) return they(`how ${went[1] ?? ''} went`)
  if (isOpen) return toOpenIndirect(clause, they)
  const closed = new RegExp(
    `^(${auxiliary}) (the two of you|you (?:two|both)|you|it|that|this|there|he|she|they|(?:your|the|any|his|her) \\w+) (.+)$`,
    'i',
  ).exec(clause)
  if (closed === null) return null
  const [, aux = '', subject = '', rest = ''] = closed
  return `whether ${they(invert(aux, subject, rest))}`
}

const toOpenIndirect = (clause: string, they: (text: string) => string): string | null => {
  const match = new RegExp(
    `^(.+?) (${auxiliary}) (you|(?:that|this) (?:conversation|day|week|visit|talk|meeting|night|weekend|appointment|trip)|it|that|this|he|she|they|(?:your|the|his|her) (?:(?:first|second|last|new|old|other|next|whole|past) )?(?:(?:two|three|four|few|couple of) )?[a-z]+)\\b ?(.*)$`,
    'i',
  ).exec(clause)
  const person = /^(who (?:is|else is|was) (?!you\b|your\b|the\b|it\b|that\b|this\b).+)$/i.exec(clause)?.[1]
  if (person !== undefined) return they(person)
  // "What brings you in", "What helps": the question word is the subject, and nothing moves.
  if (match === null) return new RegExp(`\\b(?:${auxiliary})\\b`, 'i').test(clause) ? null : they(clause)
  const [, asked = '', aux = '', subject = '', rest = ''] = match
  if (
    asked.split(' ').length > 5 ||
    (subject !== 'it' && /^(?:with|of|to|in|on|at|for|from|about|and)\b/i.test(rest))
  )
    return null
  const isShort = /^(?:is|are|was|were)$/i.test(aux) && /^[a-z]*$/.test(rest) && !/(?:ing|ed)$/.test(rest)
  const who = subject.replace(/^you$/i, 'they')
  return they(
    isShort ? `${asked} ${who} ${rest} ${aux}`.replace(/ +/g, ' ') : `${asked} ${invert(aux, subject, rest)}`,
  )
}

/** "do you sleep" → "you sleep", "did you sleep" → "you slept", "are you sleeping" → "you are sleeping". */
const invert = (aux: string, subject: string, rest: string): string => {
  const [verb = '', ...others] = rest.split(' ')
  const lower = aux.toLowerCase()
  const who = subject
    .replace(/^you(?: two| both)?$/i, 'they')
    .replace(/^the two of you$/i, 'the two of them')
    .replace(/^your\b/i, 'their')
  if (lower === 'do') return `${who} ${rest}`
  if (lower === 'does' && verb !== 'not') return `${who} ${toThirdSingular(verb)} ${others.join(' ')}`.trim()
  if (lower === 'did' && verb !== 'not') {
    const comma = verb.endsWith(',') ? ',' : ''
    return `${who} ${toPast(verb.replace(/,$/, ''))}${comma} ${others.join(' ')}`.trim()
  }
  return `${who} ${lower} ${rest}`.trim()
}

/** "alcohol, cannabis, anything": a denial reaches over a comma only where an "or" follows. */
export const asList = (asked: string): string => {
  const matter = asked.replace(/,(?: or)? anything(?: like that)?$/i, '')
  return matter.includes(', ') &&
    !/\b(?:or|and)\b|, (?:including|such as|especially|even|like)\b/.test(matter)
    ? matter.replace(/, (?=[^,]*$)/, ' or ')
    : matter
}

/** "tics, any movements that they cannot help": the first of them, where a denial would not reach the others. */
export const deniable = (matter: string): string =>
  hasNegation(matter) || /, any\b/.test(matter)
    ? matter.replace(/,(?! or\b).*$/, '')
    : // "a seizure or an eating disorder, bulimia, anything like that"
      matter.replace(/^(?<denied>[^,]+ or [^,]+), .*$/, '$<denied>')
