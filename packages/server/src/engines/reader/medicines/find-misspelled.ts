import { isOrdinaryWord } from '../../lexicon/common-words.js'
import { ALL_MEDICATIONS, type Medication } from '../../lexicon/medications.js'
import { toSounds } from '../../lexicon/sound-alike.js'
import { tokenizeWords, type WordToken } from '../../text/tokenize-words.js'
import type { Named } from './mention.js'

/** Shorter names are one letter from too many words. */
const lengthMin = 7
/** From here on two letters may be wrong. */
const longMin = 10
const partsMax = 4

const byLetters = new Map<string, Medication>()
for (const medication of ALL_MEDICATIONS)
  for (const name of [medication.generic, ...medication.brands])
    if (name.length >= lengthMin && /^[a-z]+$/i.test(name)) byLetters.set(name.toLowerCase(), medication)

/** "Colchiseen": written as it sounds. Null where two sound so. */
const bySounds = new Map<string, Medication | null>()
for (const [name, medication] of byLetters) {
  const sounds = toSounds(name)
  const same = bySounds.get(sounds)
  bySounds.set(sounds, same === undefined || same?.generic === medication.generic ? medication : null)
}
/** What a laboratory measures is not the medicine that is a letter from it. */
const isMeasure = /^(?:creatinine|albumin|prolactin|bilirubin|ferritin|troponin|hemoglobin|haemoglobin)s?$/

const byInitial = new Map<string, string[]>()
for (const name of byLetters.keys()) {
  const own = byInitial.get(name[0] ?? '')
  if (own === undefined) byInitial.set(name[0] ?? '', [name])
  else own.push(name)
}

/** Names in pieces ("met form in") and with a letter or two wrong ("lisinipril"). */
export const findMisspelled = (text: string, taken: readonly { start: number; end: number }[]): Named[] => {
  const tokens = tokenizeWords(text)
  const found: Named[] = []
  for (let at = 0; at < tokens.length; at++) {
    const named = readPieces(text, tokens, at) ?? readWord(tokens[at])
    if (named === null || taken.some(({ start, end }) => named.start < end && named.end > start)) continue
    found.push(named)
    while ((tokens[at + 1]?.start ?? named.end) < named.end) at += 1
  }
  return found
}

const readPieces = (text: string, tokens: readonly WordToken[], at: number): Named | null => {
  const first = tokens[at]
  if (first === undefined) return null
  let letters = first.lower
  for (let last = at + 1; last < Math.min(tokens.length, at + partsMax); last++) {
    const [before, token] = [tokens[last - 1], tokens[last]]
    if (before === undefined || token === undefined || token.start - before.end > 1) return null
    letters += token.lower
    const medication = byLetters.get(letters)
    if (medication !== undefined)
      return { medication, said: text.slice(first.start, token.end), start: first.start, end: token.end }
  }
  return null
}

const readWord = (token: WordToken | undefined): Named | null => {
  if (token === undefined || token.lower.length < lengthMin || !/^[a-z]+$/.test(token.lower)) return null
  if (isMeasure.test(token.lower)) return null
  if (isOrdinaryWord(token.lower)) return null
  const clipped = readClipped(token)
  if (clipped !== null) return clipped
  const alike = bySounds.get(toSounds(token.lower))
  if (alike != null) return { medication: alike, said: token.text, start: token.start, end: token.end }
  const wrongMax = token.lower.length >= longMin ? 2 : 1
  const near = (byInitial.get(token.lower[0] ?? '') ?? []).filter(
    (name) =>
      Math.abs(name.length - token.lower.length) <= wrongMax &&
      countWrongLetters(name, token.lower) <= wrongMax,
  )
  const [medication, ...others] = new Set(near.map((name) => byLetters.get(name)))
  return medication === undefined || others.some((other) => other?.generic !== medication.generic)
    ? null
    : { medication, said: token.text, start: token.start, end: token.end }
}

/** "Azithro", "bendroflu", "clarithro-something": the beginning of a name, where only one begins so. */
const readClipped = ({ text, lower, start, end }: WordToken): Named | null => {
  if (lower.length < lengthMin) return null
  const [medication, ...others] = new Set(
    (byInitial.get(lower[0] ?? '') ?? [])
      .filter((name) => name.startsWith(lower))
      .map((name) => byLetters.get(name)),
  )
  return medication === undefined || others.some((other) => other?.generic !== medication.generic)
    ? null
    : { medication, said: text, start, end }
}

/** Letters left out, put in or changed. */
const countWrongLetters = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++)
      next.push(
        Math.min(
          (row[to] ?? 0) + 1,
          (next[to - 1] ?? 0) + 1,
          (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row[other.length] ?? 0
}
