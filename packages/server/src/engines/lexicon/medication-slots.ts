/** A word of a text with its place. */
export interface TextWord {
  text: string
  lower: string
  start: number
  end: number
}

/** How surely something said at a place is a medication: nothing but its sound, the words around it, or a dose beside it. */
export type SlotStrength = 'none' | 'words' | 'dose'

const numberWords =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand half quarter point'
const numbers: ReadonlySet<string> = new Set(numberWords.split(' '))
const unitPattern = /^(?:mg|mgs|mcg|milli\s?grams?(?:'s)?|mil[ai]grams?|micrograms?|mls?|milliliters?)$/

export function isNumber(lower: string): boolean {
  return /\d/.test(lower) || lower.split('-').every((part) => numbers.has(part))
}

export const isUnit = (lower: string): boolean => unitPattern.test(lower) || /^[\d.]+mc?g$/.test(lower)

/** What stands before the name of a medication and hardly before anything else. */
const before =
  /\b(?:put (?:me|you|him|her) on|prescrib(?:ed|e|ing)(?: (?:me|you|him|her))?|refills? (?:of|for)|dos(?:e|es|age) of|(?:ran|run|running) out of|(?:tak(?:e|es|ing|en)|took|start(?:ed|ing)?|stop(?:ped|ping)?|increas(?:e|ed|ing)|decreas(?:e|ed|ing)|rais(?:e|ed|ing)|lower(?:ed|ing)?|continu(?:e|ed|ing)|add(?:ed|ing)?|tr(?:y|ied|ying)|restart(?:ed)?|switch(?:ed)?(?: you| me)? to|about|how is|how's|with|side effects? (?:of|from)|on))(?: (?:the|your|my|some|any|a low dose of|a little|more))?$/

/** Unmistakable without any other sign of medication talk. */
const beforeSurely =
  /\b(?:put (?:me|you|him|her) on|prescrib(?:ed|e|ing)(?: (?:me|you|him|her))?|refills? (?:of|for)|dos(?:e|es|age) of|side effects? (?:of|from))(?: (?:the|your|my|some|any))?$/

const after =
  /^(?:prescription|refills?|tablets?|pills?|capsules?|x\.?[rl]\.?|e\.?r\.?|(?:is |was )?(?:working|helping|wears? off))\b/

/** Someone speaks of medication here or in the turns around. */
const talk =
  /\b(?:milligrams?|mg|mcg|medications?|medicines?|meds|prescri\w+|pharmacy|refills?|dos(?:e|es|age)|side effects?|tablets?|pills?|antidepressants?|ssris?|snris?|benzos?|antipsychotics?|mood stabilizers?|stimulants?|psychiatrist|withdrawal)\b/i

/** A slot of "taking", "started" and so on in a sentence that says when a medication is taken or what it does. */
const regimen =
  /\b(?:every (?:morning|night|day|evening)|once a day|twice a day|a day|at (?:night|bedtime)|for (?:my|your|the) (?:anxiety|depression|sleep|mood|panic|adhd|nightmares)|working for you|ran out|put (?:me|you) on)\b/i

export function hasMedicationTalk(text: string, context: readonly string[]): boolean {
  return talk.test(text) || context.some((other) => talk.test(other))
}

/** How a place between two words of a text looks, seen from the words before and after it. */
export function judgeSlot(
  words: readonly TextWord[],
  first: number,
  last: number,
  text: string,
  isTalk: boolean,
): SlotStrength {
  if (hasDoseBeside(words, first, last)) return 'dose'
  const head = words
    .slice(Math.max(0, first - 6), first)
    .map(({ lower }) => lower)
    .join(' ')
  const tail = words
    .slice(last + 1, last + 4)
    .map(({ lower }) => lower)
    .join(' ')
  if (beforeSurely.test(head)) return 'words'
  if (before.test(head) && (isTalk || regimen.test(text) || after.test(tail))) return 'words'
  return after.test(tail) && isTalk ? 'words' : 'none'
}

/** "… 50 milligrams", "… to 100 mg", "50 milligrams of …" */
function hasDoseBeside(words: readonly TextWord[], first: number, last: number): boolean {
  const { at } = skipNumbers(words, last + 1)
  const [unitAfter, unitBefore, of] = [words[at], words[first - 2], words[first - 1]]
  if (at > last + 1 && words[at - 1] !== undefined && isUnit(words[at - 1]!.lower)) return true
  if (unitAfter !== undefined && isUnit(unitAfter.lower)) return true
  return unitBefore !== undefined && of?.lower === 'of' && isUnit(unitBefore.lower)
}

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** Where the numbers after a place end, and what the first of them amounts to; null when that is not plain. */
function skipNumbers(words: readonly TextWord[], from: number): { at: number; amount: number | null } {
  let at = from
  if (['to', 'at', 'into', 'from'].includes(words[at]?.lower ?? '')) at++
  const start = at
  while (at < words.length && at < start + 4 && isNumber(words[at]!.lower)) at++
  const said = words.slice(start, at).map(({ lower }) => lower)
  return { at, amount: readAmount(said.join(' ').replaceAll('-', ' ').split(' ')) }
}

function readAmount(parts: readonly string[]): number | null {
  const digits = /^(\d+(?:\.\d+)?)(?:mc?g)?$/.exec(parts[0] ?? '')
  if (digits !== null) return parts.length === 1 ? Number(digits[1]) : null
  let amount = 0
  for (const part of parts) {
    if (small.includes(part)) amount += small.indexOf(part)
    else if (tens.includes(part)) amount += 10 * (tens.indexOf(part) + 2)
    else if (part === 'hundred') amount = Math.max(1, amount) * 100
    else return null
  }
  return amount
}

/** The amount that is said right behind, when it is plain: 50 in "… to fifty milligrams". */
export const findAmountBehind = (words: readonly TextWord[], last: number): number | null =>
  skipNumbers(words, last + 1).amount || null
