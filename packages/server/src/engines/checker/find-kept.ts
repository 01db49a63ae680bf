import type { NoteSection } from '@casenote/contract'

type Evidence = NoteSection['evidence'][number]

/** A stretch of a section: a sentence that stayed, or text that is new. */
export type Stretch = { kept: Evidence } | { text: string }

/** Sentences that begin alike are told apart by this many characters, then compared in full. */
const keyLength = 16
/** Of sentences with one beginning so many are compared: longer ones first. A note has a few that begin alike. */
const alikeMax = 100
/**
 * So many characters are compared for each character of the text, at most; a note whose sentences all begin alike needs some ten.
 * Beyond it the rest counts as new.
 */
const comparedPerCharacter = 50

/** Where the sentences of before stand in a text. */
export type KeptFinder = (content: string) => Stretch[]

export const findKept = (content: string, evidence: readonly Evidence[]): Stretch[] =>
  makeKeptFinder(evidence)(content)

/**
 * Each sentence is looked up by how it begins at every place where a sentence may begin, in one walk; the text is not split,
 * so a sentence that holds several stops is found as it was.
 */
export const makeKeptFinder = (evidence: readonly Evidence[]): KeptFinder => {
  const { byKey, keyLengths } = indexByBeginning(evidence)
  return (content) => {
    const stretches: Stretch[] = []
    let comparedLeft = content.length * comparedPerCharacter
    const findAt = (at: number): Evidence | null => {
      for (const length of keyLengths) {
        for (const entry of byKey.get(content.slice(at, at + length)) ?? []) {
          const { sentence } = entry
          comparedLeft -= sentence.length
          if (comparedLeft < 0) return null
          if (content.startsWith(sentence, at) && endsThere(content, at + sentence.length)) return entry
        }
      }
      return null
    }
    let from = 0
    let at = 0
    while (at < content.length) {
      const kept = mayBegin(content, at, from) ? findAt(at) : null
      if (kept === null) {
        at++
        continue
      }
      if (at > from) stretches.push({ text: content.slice(from, at) })
      stretches.push({ kept })
      at += kept.sentence.length
      from = at
    }
    if (from < content.length) stretches.push({ text: content.slice(from) })
    return stretches
  }
}

const indexByBeginning = (
  evidence: readonly Evidence[],
): { byKey: ReadonlyMap<string, readonly Evidence[]>; keyLengths: readonly number[] } => {
  const byKey = new Map<string, Evidence[]>()
  const known = new Set<string>()
  const lengths = new Set<number>()
  for (const entry of evidence) {
    if (entry.sentence === '' || known.has(entry.sentence)) continue
    known.add(entry.sentence)
    const key = entry.sentence.slice(0, keyLength)
    lengths.add(key.length)
    const alike = byKey.get(key)
    if (alike === undefined) byKey.set(key, [entry])
    else alike.push(entry)
  }
  for (const alike of byKey.values()) {
    alike.sort((a, b) => b.sentence.length - a.sentence.length)
    alike.length = Math.min(alike.length, alikeMax)
  }
  return { byKey, keyLengths: [...lengths].toSorted((a, b) => b - a) }
}

/** At the start, behind what was found, behind a line's dash, or behind a space that follows a stop. */
const mayBegin = (content: string, at: number, from: number): boolean => {
  if (at === 0) return true
  const before = content[at - 1] ?? ''
  if (before === '\n') return true
  if (before !== ' ' && before !== '\t') return false
  if (at - 1 === from && from > 0) return true
  const last = content[at - 2] ?? ''
  return '.!?…"”’):;-•*\n'.includes(last) || last === ' '
}

/** At the end of the line, or behind a stop: "Client slept" is not the beginning of "Client slept badly". */
const endsThere = (content: string, end: number): boolean => {
  const next = content[end]
  if (next === undefined || next === '\n' || next === '\r') return true
  return /\s/.test(next) && '.!?…"”’)'.includes(content[end - 1] ?? '')
}
