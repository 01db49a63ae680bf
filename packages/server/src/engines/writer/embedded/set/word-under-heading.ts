import { hasNegation } from '../../text/find-negation.js'
import { isIrregularPast, plainVerbs, toThirdSingular } from '../../text/verb-forms.js'
import { familyIllness } from '../talk/topics.js'
import type { Statement } from '../statement/statement.js'

/** What a section's heading, or one word, says in place of the question that was asked. */
const headed: readonly (readonly [section: RegExp, asked: RegExp, label: string])[] = [
  [
    /^allergies$/,
    /^(?:regarding [^,]*allerg[^,]*, client reported |client described allergies as |[^:,]*allerg[^:,]*: )/,
    '',
  ],
  [
    /^medical_history$/,
    /^(?:regarding [^,:]*\ballergies\b[^,]*, client reported |[^:,]*\ballergies\b[^:,]*: )/,
    'allergies: ',
  ],
  [
    /^current_medications$/,
    /^(?:regarding .+, )?client reported that is (?:all|everything) (?:that )?they (?:take|are taking|are on), /,
    '',
  ],
  [
    /^(?!family_).*history$/,
    /^(?:regarding .+, client reported |\w+ing\b[^:]{12,}: )(?=(?:their (?:\w+ )?\w+ \w+|they \w+ \w+))/,
    'client reported ',
  ],
  [/medic|psychiatric_history/, /: asked what dose\b[^:]*, client reported /, ' '],
  [/^strengths_and_supports$/, /^(?:asked )?who\b[^:]*: /, 'supports: '],
  [
    /^strengths_and_supports$/,
    /^client reported they (?:lean on|turn to|count on|rely on|have) (?=their\b)/,
    'supports: ',
  ],
]

/** Sections of what the client told of themselves: that they reported it goes without saying. */
const toldSections: ReadonlySet<string> = new Set([
  'psychiatric_history',
  'past_psychiatric_history',
  'medical_history',
  'current_medications',
  'allergies',
  'substance_use_history',
  'family_history',
  'family_psychiatric_history',
  'psychosocial_history',
  'social_history',
  'strengths_and_supports',
  'treatment_goals',
])

/** "They have asthma." in place of "Client reported having asthma.", under a heading of what was told. */
export const leaveTelling = (section: string, statement: Statement): Statement | null => {
  const { frame, role, text } = statement
  if (frame === null || role !== 'client' || !toldSections.has(section)) return null
  const clause = frame.form === 'gerund' ? withAdded(frame.clause, text) : text
  // "Who is there?" – "It's my mom and my brothers."
  const plain = clause?.replace(/^it is (?=their\b)/, '')
  return plain === undefined || /^(?:it|that|this|these|those|he|she)\b/i.test(plain)
    ? null
    : { ...statement, text: shortenSubject(section, plain), whole: plain, frame: null }
}

const kin =
  'mom|mother|dad|father|parents|brother|sister|son|daughter|uncle|aunt|cousin|grandmother|grandfather|grandma|grandpa'
const familySections = /^family_/

/** "their brother is in Tucson, they text; he is bipolar": of relatives what they had. */
const tellIllness = (text: string): string => {
  const parts = new RegExp(
    `^their (?<who>${kin}) (?<lives>[^;]+); (?:he|she) (?<has>(?:is|was|has|had|used) [^;]+)`,
  ).exec(text)?.groups
  return parts === undefined ||
    familyIllness.test(parts['lives'] ?? '') ||
    !familyIllness.test(parts['has'] ?? '')
    ? text
    : `${parts['who'] ?? ''} ${parts['has'] ?? ''}`
}

/** "Took Zoloft for a year.", "Uncle had bipolar.": as histories are written, where nobody else can be meant. */
const shortenSubject = (section: string, text: string): string =>
  familySections.test(section)
    ? tellIllness(text).replace(new RegExp(`^their (?=(?:${kin})\\b)`), '')
    : text
        .replace(/^being (?=(?:at|in|on|with)\b)/, '')
        .replace(
          /^they (?<verb>[a-z]+)(?<not> not)?\b(?<rest>.*)$/,
          (whole, verb: string, not: string | undefined, rest: string) => dropThey(verb, not, rest) ?? whole,
        )

/** Forms that have no subject to lean on: "Has asthma" begins like a question. */
const needsSubject =
  /^(?:am|is|are|was|were|have|has|had|be|got|get|left|felt|set|put|cut|hurt|read|quit|just)$/

const dropThey = (verb: string, not: string | undefined, rest: string): string | null => {
  const negation = not ?? ''
  if (needsSubject.test(verb) || !/^ \w/.test(rest)) return null
  if (/^(?:did|could|would|cannot|can)$/.test(verb) || isIrregularPast(verb) || /[^e]ed$/.test(verb))
    return `${verb}${negation}${rest}`
  const isListed = [...rest.matchAll(/(?:,|\band|\bor|\bbut|\bthen) (?<next>[a-z]+)/g)].some(({ groups }) =>
    plainVerbs.has(groups?.['next'] ?? ''),
  )
  if (isListed) return null
  if (verb === 'do' && not !== undefined) return `does not${rest}`
  return plainVerbs.has(verb) && not === undefined ? `${toThirdSingular(verb)}${rest}` : null
}

/** What was added to a gerund is no part of its clause: "smoking (a pack a day)". */
const withAdded = (clause: string | undefined, gerund: string): string | undefined => {
  const added = /(?: \(|; ).+$/.exec(gerund)?.[0] ?? ''
  return clause === undefined || clause.endsWith(added) ? clause : `${clause}${added}`
}

const historySections = /psychiatric_history$/

const participles: Readonly<Record<string, string>> = {
  being: 'been',
  having: 'had',
  seeing: 'seen',
  talking: 'talked',
  taking: 'taken',
  going: 'gone',
  trying: 'tried',
}

/** "asked whether they have seen anybody before: in 2018", "seeing anybody before: in 2018": that they have, since they say when. */
const tellOnce = (labelled: string): string | null => {
  const text = labelled.replace(
    /^(\w+ing)\b(?=[^:]*\b(?:before|ever)\b[^:]*: )/,
    (doing) => `asked whether they have ${participles[doing] ?? doing}`,
  )
  const told =
    /^asked whether they (?:have|had) (?:ever )?(?<what>(?:been|had|seen|talked|gone|taken|tried|received|\w+ed)\b[^:]*): (?<when>(?!in (?:the|their) family\b)(?:in|at|during|after|when|back in|last|once|twice|for) [^:]+)$/.exec(
      text,
    )?.groups
  if (told === undefined || hasNegation(text)) return null
  const what = (told['what'] ?? '')
    .replace(/\bany(?:body|one)\b/g, 'someone')
    .replace(/^been (?=in\b)|\b(?:ever|any) /g, '')
  const when = (told['when'] ?? '').replace(/,? (?:after|before|when|because|and|but)$/, '')
  return `${what}${what.includes(',') ? ',' : ''} ${when}`
}

/** The statement without the question that its heading stands for, if its heading does. */
export const wordUnderHeading = (section: string, statement: Statement): Statement | null => {
  if (statement.role !== 'client' || statement.text.includes('"')) return null
  const once = historySections.test(section) ? tellOnce(statement.text) : null
  if (once !== null) return { ...statement, text: once, frame: null }
  for (const [sections, asked, label] of headed) {
    if (!sections.test(section) || !asked.test(statement.text)) continue
    const answer = statement.text.replace(asked, '')
    if (!/^(?:it|that|this|they are|yes|no|not)\b/i.test(answer))
      return { ...statement, text: statement.text.replace(asked, label), frame: null }
  }
  return null
}
