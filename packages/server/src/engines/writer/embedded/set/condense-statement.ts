import { hasNegation } from '../../text/find-negation.js'
import { findNumbers } from '../../text/find-numbers.js'
import { countWords, isContentWord, tokenizeWords } from '../../text/tokenize-words.js'
import { plainVerbs, toGerund } from '../../text/verb-forms.js'
import { answerInPlace } from '../client/answer-in-place.js'
import { dropSpeech } from '../talk/drop-speech.js'
import { isLabelled, joinNowAndBefore } from '../talk/label-answer.js'
import { findGarble } from '../client/judge-wording.js'
import type { Statement } from '../statement/statement.js'
import { needsQuestion } from '../client/report-fragment.js'
import { joinEarlier } from '../client/report-rating.js'
import { findTopics } from '../talk/topics.js'

/**
 * The statement in fewer words, as clinicians write, the best wording first: what was asked only where the answer needs it. Words are what a note
 * has too few of; three quarters of the facts that were missed in written sessions had been worded and did not fit.
 */
export const condenseStatement = (statement: Statement): Statement[] => {
  // Risk is written with what was asked, but for how often it is, what holds somebody and whom they would turn to.
  const isRisk = statement.kind === 'risk' && !asksAround.test(statement.text)
  if (isRisk || statement.text.includes('"')) return [statement]
  const wordings = statement.role === 'clinician' ? [statement] : condenseTold(statement)
  return [...wordings.map(withoutSpeech), ...wordings].map((wording) => ({
    ...wording,
    text: joinNowAndBefore(wording.text),
  }))
}

const asksAround =
  /^asked (?:who they |how (?:often|long) (?:that|it|this)\b|what (?:keeps|has kept|stops|stopped|helps|helped) them\b)/

/** Of voices that nobody has named the same is told as of the client. */
const condenseTold = (statement: Statement): Statement[] => {
  if (statement.role === 'client') return condense(statement)
  const ofClient = { ...statement, text: statement.text.replaceAll('a participant', 'client') }
  return condense(ofClient).map((wording) => ({
    ...wording,
    text: isLabelled(wording.text)
      ? wording.text.replace(': ', ', a participant reported ').replace(/^/, 'regarding ')
      : wording.text.replace(
          /\bclient (?=(?:reported|rated|described|denied|endorsed|confirmed)\b)/,
          'a participant ',
        ),
  }))
}

const withoutSpeech = (statement: Statement): Statement => {
  const frame =
    statement.frame === null || statement.frame.clause === undefined
      ? statement.frame
      : { ...statement.frame, clause: dropSpeech(statement.frame.clause) }
  return { ...statement, text: dropSpeech(statement.text), frame }
}

const condense = (statement: Statement): Statement[] => {
  const plain = { ...statement, text: joinEarlier(dropAfterthoughts(dropFiller(statement.text))) }
  if (plain.frame !== null) return [plain]
  const answer = /^asked (?<asked>.+?), client (?<verb>reported|answered yes|answered no) ?(?<rest>.*)$/.exec(
    plain.text,
  )?.groups
  if (answer === undefined) return [asReport(plain)]
  const { asked = '', verb, rest = '' } = answer
  if (verb !== 'reported')
    return [{ ...plain, text: (verb === 'answered no' ? deny : confirm)(asked, rest) ?? plain.text }]
  if ((asksBack.test(asked) || standsAlone(rest)) && !needsQuestion(rest))
    return [asReport({ ...plain, text: `client reported ${rest}` })]
  const label = labels.find(([pattern]) => pattern.test(asked))?.[1]
  return label === undefined
    ? [
        ...answerInPlace(asked, rest),
        ...(standsAlone(rest) ? [`client reported ${rest}`] : underQuestion(asked, rest)),
      ].map((text) => asReport({ ...plain, text }))
    : [{ ...plain, text: `${label}: ${rest}` }]
}

/** "What keeps them going: their daughter." says what was asked without telling that it was. */
const underQuestion = (asked: string, rest: string): string[] => [
  ...(/^(?:what|who|where|when|why|which|how)\b[^,]*$/.test(asked) && countWords(asked) <= headingWordsMax
    ? [`${asked}: ${rest}`]
    : []),
  `asked ${asked}: ${rest}`,
]

/** A heading is read at a glance. */
const headingWordsMax = 9

/** Words that only stress; after a negation ("not really") they are its measure. */
const filler =
  /(?<!\bnot |n't )\b(?:actually|really|basically|literally|honestly|totally|kind of|sort of|just) (?=[a-z])|,? (?:or anything|or something(?: like that)?|or whatever|and stuff(?: like that)?|and everything|that kind of thing)(?=$|[,;)])|,? (?:basically|honestly|actually|literally)(?=$|[,;)])|,? (?:but )?(?:yeah,? )?they (?:guess|suppose)(?=$|[;)])|(?<=\b(?:have|has)) got(?! to\b)(?= [a-z])|\b(?:that is|here is|the thing is|that was) (?:the thing|it|that), (?=\w+ \w)/gi

/** "for their back, for their back", "getting him to school and always getting him to school" */
const saidTwice = /\b(?<words>[a-z']+(?: [a-z']+){1,5})(?:,| and)(?: always| just)? \k<words>\b/gi

/** "they fell and they banged their hip": one subject for both; a modal would reach over the second as well. */
const sharedSubject =
  /(?<=^|; )(?<first>(?:(?:last night|yesterday|today|this week|this morning) )?they (?!can\b|could\b|would\b|will\b|should\b|might\b|may\b|must\b|used\b|want|tr(?:y|ied)\b|need)[a-z']+(?: [a-z']+){0,8}),? and they (?=[a-z])/g

const shareSubject = (text: string): string =>
  text.replace(sharedSubject, (whole, first: string) =>
    hasNegation(first) || /\b(?:when|if|because|that|who|she|he|it|we|to|like)\b/.test(first)
      ? whole
      : `${first} and `,
  )

/** "their daughter she is ten minutes away", "and their hands, they clench" */
const namedTwice =
  /(?<=^|; )(?<who>their (?:daughter|son|wife|husband|mom|mother|dad|father|sister|brother|boss|roommate|friend|girlfriend|boyfriend|partner|aunt|uncle|cousin|manager|supervisor)),? (?:she|he) (?=(?:is|was|has|had|does|did|said|says|goes|went|got|[a-z]+ed)\b)|(?<=^|; |and )(?<what>their (?:hands|fists|legs|shoulders|thoughts|eyes|kids|parents)), they (?=[a-z])/g

const dropFiller = (text: string): string => {
  const once = text.replace(filler, '').replace(saidTwice, '$<words>').replace(namedTwice, '$<who>$<what> ')
  const short = shareSubject(once)
  return hasNegation(short) === hasNegation(text) ? short : text
}

/** What is added to a statement and is about nothing, counts nothing and turns nothing round. */
const dropAfterthoughts = (text: string): string => {
  if (countWords(text) < afterthoughtWordsMin) return text
  const [head = '', ...added] = text.split('; ')
  const kept = added.filter(
    (part) =>
      findTopics(part).length > 0 ||
      findNumbers(tokenizeWords(part)).length > 0 ||
      /\b(?:but|although|except|unless|until|stopp?\w*|instead|not|never|no|cannot)\b/i.test(part),
  )
  return [head, ...kept].join('; ')
}

/** A shorter statement has room for them. */
const afterthoughtWordsMin = 18

/** Questions that only refer back, or hand over the word. */
const asksBack =
  /^(?:how (?:many|much|often|long)|about (?:it|that|this|those)|how (?:that|it|this) (?:was|is|went|felt|feels|has been|goes)|what (?:that|it|this) (?:was|is) like|what happened.*|how (?:they|things) (?:are|have been)(?: doing)?|what (?:is|was) (?:going on|different).*)$/

/** What the question asks for, in the word of a note. */
const labels: readonly (readonly [RegExp, string])[] = [
  [/^how far they (?:went|got) in school$/, 'school'],
  [/^how long (?:that|it|this|they)\b(?: \w+){1,3}$/, 'duration'],
  [/^how (?:often|many times|frequently) (?:that|it|this)\b(?: \w+){1,3}$/, 'frequency'],
  [
    /^(?:who they (?:have|can|could)\b.*|about (?:their )?supports?|who (?:else )?is (?:in their corner|on their side|there for them|helping(?: them)?|around(?: them)?)(?: now)?)$/,
    'supports',
  ],
]

/** An answer of so many words of its own says by itself what it is about. */
const ownWordsMin = 4

const standsAlone = (rest: string): boolean =>
  tokenizeWords(rest).filter(({ lower }) => isContentWord(lower)).length >= ownWordsMin &&
  !/^(?:in|on|at|with|for|to|because|if|when|about|up|by|from|like|only if)\b/i.test(rest) &&
  !/^(?:it|that|this|these|those|he|she) /i.test(rest)

/** "whether they hear things", answered by no; "how often they miss it", answered by "I don't". */
const deny = (asked: string, rest: string): string | null => {
  const matter = /^whether (?<matter>(?:they|there) .+)$/.exec(asked)?.groups?.['matter']
  if (matter !== undefined && !hasNegation(rest))
    return `client denied ${asDoing(matter)}${rest === '' ? '' : ` ${rest}`}`
  const often = /^how (?:often|much|many times) they (?<verb>[a-z]+)(?<more>(?: [a-z]+)*)$/.exec(
    asked,
  )?.groups
  return often === undefined || isVerbOfHaving.test(often['verb'] ?? '')
    ? null
    : `client denied ${toGerund(often['verb'] ?? '')}${often['more'] ?? ''}${rest === '' ? '' : ` ${rest}`}`
}

/** "they hear or see things" as "hearing or seeing things"; other clauses with "that". */
const asDoing = (clause: string): string => {
  const [, verb = '', or = '', rest = ''] = /^they ([a-z]+)( or [a-z]+)?( .*)?$/.exec(clause) ?? []
  const other = or.replace(/^ or /, '')
  if (!plainVerbs.has(verb) || (other !== '' && !plainVerbs.has(other))) return `that ${clause}`
  return `${toGerund(verb)}${other === '' ? '' : ` or ${toGerund(other)}`}${rest}`
}

const isVerbOfHaving = /^(?:are|were|have|had|do|did|will|would|can|could)$/

const confirm = (asked: string, rest: string): string | null => {
  const matter = /^whether (?<matter>.+)$/.exec(asked)?.groups?.['matter']
  const added = /^\((?<added>.+)\)$/.exec(rest)?.groups?.['added']
  if (matter !== undefined && /^(?:that|it|this) /.test(matter))
    return added === undefined ? null : `client reported ${added}`
  return matter === undefined
    ? null
    : `client confirmed that ${matter}${/^[;(]/.test(rest) ? ' ' : ''}${rest}`.replace(' ;', ';')
}

const startsClause =
  /^(?:they|it|there|that|this|he|she|their \w+|the \w+|his \w+|her \w+|everybody|everyone|nobody|one of \w+) (?:(?:also|still|never|always|already|only) )?(?:is|are|was|were|has|have|had|do|does|did|can|cannot|could|would|will|should|might|get|gets|got|feel|felt|feels|go|goes|went|think|thought|know|want|wanted|need|said|says|came|comes|took|takes|made|makes|\w+ed)\b/

/** "client reported nausea" may share its verb with the report before it. */
const asReport = (statement: Statement): Statement => {
  const rest = /^client reported (?<rest>.+)$/.exec(statement.text)?.groups?.['rest']
  if (rest === undefined || /^(?:that|not) /.test(rest)) return statement
  return {
    ...statement,
    text: rest,
    frame: { form: startsClause.test(rest) ? 'clause' : 'noun', isPast: true },
  }
}

/** What was said before the words stop making sense; null where that is too little to stand. */
export const cutGarble = (statement: Statement): Statement | null => {
  const at = statement.text.includes('"') ? -1 : findGarble(statement.text)
  if (at < 0 || statement.kind === 'risk') return statement
  const before = statement.text.slice(0, at).replace(/(?:[,;(]| and| but)(?! \d)[^,;(]*$/, '')
  const own = tokenizeWords(before).filter(({ lower }) => isContentWord(lower)).length
  return before.length === at || own < headWordsMin - 1
    ? null
    : {
        ...statement,
        text: before,
        frame: statement.frame === null ? null : { ...statement.frame, clause: before },
      }
}

/** "… with the cold pack, hold it and breathe out": how it is done, after what is done. */
const nextStep = /, (?:hold|breathe|walk|keep|write|touch|press|then)\b/

/** A head of fewer words says too little. */
const headWordsMin = 3

/**
 * What a statement says first, for where the whole does not fit; null where the rest might change its meaning. "But" and
 * what follows it never goes.
 */
export const headOf = (statement: Statement): Statement | null => {
  const { text, kind, role, frame } = statement
  if (kind === 'risk' || kind === 'order' || text.includes('"')) return null
  const cut =
    / \(|; |, (?:when (?:they|their \w+|she|he|it) (?:was|were|had|\w+ed)|which|so|because|since|where|like|that|and then|and (?:they|it|he|she|client|the|their))\b/.exec(
      text,
    ) ?? (kind === 'intervention' ? nextStep.exec(text) : null)
  // What the clinician's sentence has in brackets is an approach that they gave a name to.
  if (cut === null || (role === 'clinician' && cut[0] === ' (')) return null
  const [head, rest] = [text.slice(0, cut.index), text.slice(cut.index)]
  if (/\b(?:but|although|except|unless|until|stopp?\w*|instead|not|never|no)\b|n't\b/i.test(rest)) return null
  const own = tokenizeWords(head).filter(({ lower }) => isContentWord(lower)).length
  const isShort = frame !== null || isLabelled(text)
  if (own < headWordsMin - (isShort && role !== 'clinician' ? 1 : 0)) return null
  return {
    ...statement,
    text: head,
    frame: frame === null ? null : { form: frame.form, isPast: frame.isPast },
  }
}
