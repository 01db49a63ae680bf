import { hasNegation } from '../../text/find-negation.js'
import { countWords } from '../../text/tokenize-words.js'
import { isVerbForm } from '../../text/verb-forms.js'
import { labelAnswer } from '../talk/label-answer.js'
import { findRating } from './report-rating.js'

/**
 * A question and its answer as what the client reported, the best wording first: "when the crying started" and "two weeks
 * ago" are "the crying started two weeks ago". Nobody writes down that something was asked, but for risk.
 */
export const answerInPlace = (asked: string, answer: string): string[] => {
  // What was added to the answer stays behind it.
  const at = answer.search(/; | \(/)
  const [rest, added] = at < 0 ? [answer, ''] : [answer.slice(0, at), answer.slice(at)]
  const about = /^about (?<topic>.+)$/.exec(asked)?.groups?.['topic']
  const found = about === undefined ? readers.map((read) => read(asked, rest)) : readTopic(about, rest)
  return found.flatMap((words) => (words === null ? [] : [`${words}${added}`]))
}

type PlaceReader = (asked: string, rest: string) => string | null

const isAdverbial = (rest: string): boolean =>
  /^(?:(?:about|around|maybe|probably|only|mostly|like|right|just|usually) )*(?:in|on|at|after|before|since|during|until|from|by|when|every|once|twice|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|last|this|a (?:couple|few|week|month|year|day)|an hour|\d)\b/i.test(
    rest,
  )

const isClause = (rest: string): boolean =>
  /^(?:they|it|there|that|this|he|she|(?:their|the|his|her) \w+) \w+/.test(rest) &&
  isVerbForm(/^(?:(?:their|the|his|her) )?\w+ (?<verb>\w+)/.exec(rest)?.groups?.['verb'] ?? '')

/** "about the anxiety": "it is a lot better" is of the anxiety, "okay" describes it, and another clause is regarding it. */
const readTopic = (topic: string, rest: string): (string | null)[] => {
  const name = topic
    .replace(/^.*\b(?:how|what) about /, '')
    .replace(/,? (?:in general|these days|lately|right now|now)$/, '')
  const isPlural = /[^s]s$/.test(name) && !/ (?:of|that|for|in|on) /.test(name)
  const subject = isPlural
    ? /^(?:they|those|these) (?=(?:are|were|come|have|do|get|start|happen|go)\b)/
    : /^(?:it|that|this) (?=(?:is|was|has|does|did|gets?|got|comes|came|went|goes|feels?|felt|helps?|helped)\b)/
  const rating = /^(?:it|that|this) /.test(rest) ? findRating(rest) : null
  if (rating !== null && rating.more === '')
    return [
      `client rated ${name} at ${rating.rating}`,
      `regarding ${name}, client rated it at ${rating.rating}`,
    ]
  // "That is all they take" is not of what was asked.
  const isAll = /^(?:that|it|this) (?:is|was) (?:all|it|everything|the only)\b/.test(rest)
  const told = isAll ? rest : rest.replace(subject, `${name} `)
  if (told !== rest) return [`client reported ${told}`, regarding(name, rest)]
  // How a time was is not how it is.
  if (/^the (?:last|past|first)\b.*\b(?:days?|nights?|weeks?|months?|years?)$/.test(name) && !isClause(rest))
    return [labelAnswer(name, rest)]
  if (
    /^(?:one thing|the (?:\w+est|first|worst|best|hardest|last)|their proof)\b/.test(name) &&
    !isClause(rest)
  )
    return [`client reported ${name} ${isPlural ? 'are' : 'is'} ${rest}`, regarding(name, rest)]
  if (isQuality(rest) && /^(?:(?:their|the) )?\w+$/.test(name)) return [labelAnswer(name, rest)]
  if (isAdverbial(rest) && /^the \w+$/.test(name))
    return [`client reported ${name.replace(/^the /, '')} ${rest}`, regarding(name, rest)]
  return [regarding(name, rest)]
}

const regarding = (name: string, rest: string): string | null =>
  isVague.test(name) || countWords(rest) === 0 || name === rest ? null : labelAnswer(name, rest)

/** What names nothing, or only when and where. */
const isVague =
  /^(?:it|that|this|those|how many|how much|them|her|him|what|still|all|since|from|after|before|in|on|with|(?:the )?number)\b|\b(?:it|that|this|them)$/

const isQuality = (rest: string): boolean =>
  countWords(rest) <= qualityWordsMax &&
  !isClause(rest) &&
  !isAdverbial(rest) &&
  !/^(?:a|an|the|their|no|not)\b/.test(rest)

/** A quality is a word or a few. */
const qualityWordsMax = 6

/** "when the crying started", "where they feel it" */
const readWhen: PlaceReader = (asked, rest) => {
  const clause = /^(?:when|where|what time|how long ago) (?<clause>(?!(?:the )?last\b).+)$/.exec(asked)
    ?.groups?.['clause']
  return clause === undefined || !isAdverbial(rest) || hasNegation(rest)
    ? null
    : `client reported ${clause} ${rest}`
}

/** "how many days it now is", "how many times this month they have lost their temper" */
const readCount: PlaceReader = (asked, rest) => {
  const parts =
    /^how many (?<thing>\w+(?: (?!they\b|it\b|now\b|this\b)\w+)?)(?<period> (?:this|last|in the last|a) \w+)? (?<clause>(?:they|it) [^,]+?|now)(?: altogether| in total)?(?<when>, [^,]+)?$/.exec(
      asked,
    )?.groups
  const count = new RegExp(
    `^(?<count>(?:(?:about|maybe|like|probably) )?(?:[a-z-]+(?: and [a-z-]+)?|\\d+))(?: ${parts?.['thing'] ?? ''})?(?<more>,.*)?$`,
  ).exec(rest)?.groups
  if (parts === undefined || count === undefined || hasNegation(rest)) return null
  const { thing = '', period = '', clause = '', when = '' } = parts
  const counted = `${count['count'] ?? ''} ${thing}`
  const more = count['more'] ?? ''
  if (clause === 'now' || /^it (?:now )?is(?: now)?$/.test(clause)) return `client reported ${counted}${more}`
  if (/^they (?:have|had|are|were|get|got|take|took|did)\b/.test(clause))
    return `client reported ${clause} ${counted}${period}${when}${more}`
  return null
}

/** "how much time they are spending on washing": what "it" is in the answer. */
const readTime: PlaceReader = (asked, rest) => {
  const on =
    /^how (?:much time|long|many hours) they (?:are|were) spending on (?<what>[\w ]+?)(?: now)?(?:, .*)?$/.exec(
      asked,
    )?.groups?.['what']
  const told = rest.replace(/^(?<when>now )?it (?=(?:is|was)\b)/, `$<when>time spent on ${on ?? ''} `)
  return on === undefined || told === rest ? null : `client reported ${told}`
}

/** "who they would tell if it got louder" */
const readWho: PlaceReader = (asked, rest) => {
  const where = /^who (?:is|else is) (?<where>at home|there|in the (?:house|home))(?: with them)?$/.exec(
    asked,
  )?.groups?.['where']
  if (where !== undefined && !isClause(rest)) return `client reported ${rest} ${where}`
  if (/^who (?:else )?knows$/.test(asked) && !isClause(rest))
    return `client reported ${rest} ${/\band\b|,|s$/.test(rest) ? 'know' : 'knows'}`
  const parts =
    /^who (?<doing>they (?:(?:would|can|could|will) )?(?:(?:have|tell|call|ask|trust|see)|[a-z]+ (?:to|with|on)))(?<more> .+)?$/.exec(
      asked,
    )?.groups
  return parts === undefined || isClause(rest) || hasNegation(rest)
    ? null
    : `client reported ${parts['doing'] ?? ''} ${rest}${parts['more'] ?? ''}`
}

/** "how that day was", "how they are getting through the evenings", "what sitting there is like": how it is. */
const readHow: PlaceReader = (asked, rest) => {
  const quality = rest.split(',')[0]?.trim() ?? ''
  if (!isQuality(quality) && !isDegree(quality)) return null
  const be =
    /^how (?<what>.+ (?:was|were|is|are|feels?|felt|went|has been|have been|have gone|has gone))(?<more> (?:on|with|at|since|in) .+)?$/.exec(
      asked,
    )?.groups ??
    /^how (?<what>they (?:are|were|have been) \w+ing(?: (?!about\b|since\b|with\b)[a-z]+)*)(?<more> (?:about|since|with) [a-z ]+)?$/.exec(
      asked,
    )?.groups
  if (be !== undefined) return `client reported ${be['what'] ?? ''} ${rest}${be['more'] ?? ''}`
  const like = /^what (?<what>\w+|.+?) (?<be>is|was) like(?:, (?<doing>\w+ing .+))?$/.exec(asked)?.groups
  return like === undefined
    ? null
    : `client reported ${like['doing'] ?? like['what'] ?? ''} ${like['be'] ?? ''} ${rest}`
}

const isDegree = (rest: string): boolean => /^(?:a lot|much|a bit|a little|way|so|really|not) \w+$/.test(rest)

/** "how much of the day it takes up" */
const readMuch: PlaceReader = (asked, rest) => {
  const clause =
    /^how (?:much|long) (?:of the \w+ )?(?<clause>(?:it|that) (?:takes|took|lasts|lasted|goes|went)(?: up| on)?)$/.exec(
      asked,
    )?.groups?.['clause']
  return clause === undefined || !isAdverbial(rest) ? null : `client reported ${clause} ${rest}`
}

/** "what the guilt said", answered by "that …"; "what they did on Friday", answered by what they did. */
const readWhat: PlaceReader = (asked, rest) => {
  const said =
    /^what (?<who>(?!would\b|could\b|might\b).+? (?:tells?|told|said|says|say|shows?|means?)(?: them)?\b)(?<more>.*)$/.exec(
      asked,
    )?.groups
  if (said !== undefined && /^that \w+ \w+/.test(rest))
    return `client reported ${said['who'] ?? ''}${(said['more'] ?? '').replace(/ about .*$/, '')} ${rest}`
  const did = /^what they did(?<when> (?:this|last|on|yesterday|after|then)\b.*)?$/.exec(asked)?.groups
  if (did === undefined || !isVerbForm(rest.split(' ')[0] ?? '') || /^(?:they|it)\b/.test(rest)) return null
  return `client reported they ${rest}${did['when'] ?? ''}`
}

/** "things they avoid": crowds. */
const readThings: PlaceReader = (asked, rest) => {
  const things = /^whether there (?:are|is) (?<things>things? (?:that )?they \w+)$/.exec(asked)?.groups?.[
    'things'
  ]
  return things === undefined || isClause(rest) ? null : regarding(things, rest)
}

/** "what number it was at the top" */
const readNumber: PlaceReader = (asked, rest) => {
  const when = /^what number it (?<be>is|was)(?<when> .+)?$/.exec(asked)?.groups
  return when === undefined ? null : `client reported it ${when['be'] ?? ''} ${rest}${when['when'] ?? ''}`
}

/** "whether there are things they avoid": what they avoid. */
const readWhether: PlaceReader = (asked, rest) => {
  const doing =
    /^whether there (?:are|is) (?:things?|anything|any \w+|people|anyone) (?:that )?(?<doing>they \w+)$/.exec(
      asked,
    )?.groups?.['doing']
  if (doing !== undefined && !isClause(rest) && !hasNegation(rest)) return `client reported ${doing} ${rest}`
  const thing = /^whether they (?:had|have|own|keep|take|use) (?<thing>(?:their|the|a|an|any)? ?\w+)$/.exec(
    asked,
  )?.groups?.['thing']
  const told = rest.replace(/^it (?=(?:is|was)\b)/, `${thing ?? ''} `)
  return thing === undefined || told === rest ? null : `client reported ${told}`
}

const readers: readonly PlaceReader[] = [
  readWhen,
  readCount,
  readTime,
  readWho,
  readHow,
  readMuch,
  readWhat,
  readWhether,
  readThings,
  readNumber,
  (_asked, rest) =>
    isClause(rest) && !/^(?:it|that|this)\b/.test(rest) && countWords(rest) > clauseWordsMin
      ? `client reported ${rest}`
      : null,
]

/** A clause of fewer words leans on its question. */
const clauseWordsMin = 4
