import { isCommonWord } from '../lexicon/common-words.js'
import type { Reading } from '../reader/reading.js'
import { isDoseUnit } from '../text/measure-units.js'
import { besideItems, type ExactCheck } from './exact-check.js'
import type { Claim } from './read-claim.js'
import type { SpokenItem } from './read-talk.js'

/**
 * The names of medicines of a sentence were said in its items or beside them; a brand is its generic, a name put right is
 * the right one. Taking "it" for the medicine named last, further back, let 24 false sentences pass, and in two of them the
 * medicine had nothing to do with what was said: so a sentence has to cite where its medicine is named.
 */
export const checkMedicines: ExactCheck = (claim, talk, reading) => {
  const unlisted = listUnlisted(claim)
  if (claim.medicines.length === 0 && unlisted.length === 0) return null
  const near = talk.around(claim.items, besideItems)
  const said = listSaid(near, claim, reading)
  const unknown = claim.medicines.find(
    ({ medication: { generic } }) => !said.has(generic) && !isSaidOtherwise(generic, near),
  )
  if (unknown !== undefined) return { reason: 'medicine', part: claim.text.slice(unknown.start, unknown.end) }
  const unsaid = unlisted.find(
    (name) => !near.some(({ tokens }) => tokens.some(({ lower }) => lower === name)),
  )
  return unsaid === undefined ? null : { reason: 'medicine', part: unsaid }
}

const listSaid = (near: readonly SpokenItem[], claim: Claim, reading: Reading): Set<string> => {
  const said = new Set(near.flatMap(({ medicines }) => medicines.map(({ medication }) => medication.generic)))
  for (const finding of reading.findings)
    if (finding.kind === 'medicine' && isNear(finding.items, claim.items))
      said.add(finding.name.toLowerCase())
  return said
}

const isNear = (items: readonly number[], cited: readonly number[]): boolean =>
  items.some((item) => cited.some((one) => Math.abs(one - item) <= besideItems))

/** Nobody says "nicotine" of a patch, or "oral contraceptive" of the pill. */
const saidOtherwise: Readonly<Record<string, RegExp>> = {
  nicotine: /\b(?:patch|patches|gum|lozenges?|vap\w+|smok\w+|cigarettes?)\b/i,
  albuterol: /\binhaler\b/i,
  'oral contraceptive': /\b(?:pill|birth control|contracepti\w+)\b/i,
}

const isSaidOtherwise = (generic: string, near: readonly SpokenItem[]): boolean => {
  const words = saidOtherwise[generic]
  return words !== undefined && near.some(({ text }) => words.test(text))
}

/** Shorter words before a dose are "take", "about", "down". */
const nameLengthMin = 5

/** "tapentadol 50 mg": no English word, not in our list, and beside a dose. */
const listUnlisted = ({ amounts, tokens, medicines }: Claim): string[] =>
  amounts.flatMap(({ unit, firstToken }) => {
    const token = tokens[firstToken - 1]
    if (!isDoseUnit(unit) || token === undefined || token.lower.length < nameLengthMin) return []
    const isListed = medicines.some(({ start, end }) => start <= token.start && token.end <= end)
    return isListed || isCommonWord(token.lower) ? [] : [token.lower]
  })
