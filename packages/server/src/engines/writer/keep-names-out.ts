import { nameRunsMax, splitName, type NoteSection } from '@casenote/contract'
import { isCommonWord } from '../lexicon/common-words.js'

const runs = /[\p{L}\p{N}]+/gu

/** What may stand between the parts of one name; a stop only behind a short part: "St. Mary". */
const between = /^[\s\-‐‑–’‘'&,]{1,3}$/u
const stop = /^\.\s?$/u
const shortLengthMax = 3

/**
 * Puts initials in the place of names that must not stand in a note, in quotes as well. A plain comparison, after everything else: in
 * whatever case it is written, but a name that is an English word, too ("Will", "Grace"), only with a capital or as it was given. A
 * name that was given with the last name first ("Smith, Rosalind") is found in both orders.
 */
export function makeNameKeeper(names: readonly string[]): (text: string) => string {
  const known: KnownNames = { firsts: new Set(), names: new Map() }
  for (const name of names) {
    for (const parts of listOrders(name)) {
      const exact = parts.join(' ')
      const isWord = parts.length === 1 && isCommonWord(exact)
      const forms = new Set([exact, exact.toUpperCase(), capitalize(exact)])
      known.firsts.add(parts[0]?.toLowerCase() ?? '')
      known.names.set(exact.toLowerCase(), (written) => !isWord || forms.has(written))
    }
  }
  return known.names.size === 0 ? (text) => text : (text) => takeOut(text, known)
}

const listOrders = (name: string): string[][] => {
  const parts = splitName(name)
  if (parts.length === 0 || parts.length > nameRunsMax) return []
  const [last = [], first = [], ...others] = name.split(',').map(splitName)
  return first.length > 0 && others.length === 0 ? [parts, [...first, ...last]] : [parts]
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

interface KnownNames {
  /** In lower case: most words of a text begin no name. */
  firsts: Set<string>
  /** By the name in lower case: whether it is one as it is written. */
  names: Map<string, (written: string) => boolean>
}

/** One walk over the text, however many names there are; the longest that begins at a place is taken. */
function takeOut(given: string, known: KnownNames): string {
  const text = given.normalize('NFC')
  const found = [...text.matchAll(runs)].map(({ 0: run, index }) => ({
    run,
    start: index,
    end: index + run.length,
  }))
  const parts: string[] = []
  let from = 0
  for (const [at, { run, start }] of found.entries()) {
    if (start < from) continue
    const taken = known.firsts.has(run.toLowerCase())
      ? findName(text, found.slice(at, at + nameRunsMax), known)
      : null
    if (taken === null) continue
    parts.push(text.slice(from, start), taken.initials)
    from = taken.end
  }
  return parts.join('') + text.slice(from)
}

interface Run {
  run: string
  start: number
  end: number
}

function findName(
  text: string,
  following: readonly Run[],
  known: KnownNames,
): { end: number; initials: string } | null {
  let longest: { end: number; initials: string } | null = null
  const taken: string[] = []
  for (const [index, { run, start, end }] of following.entries()) {
    const last = following[index - 1]
    if (last !== undefined && !isOneName(last, text.slice(last.end, start))) break
    taken.push(run)
    const written = taken.join(' ')
    if (known.names.get(written.toLowerCase())?.(written) === true)
      longest = { end, initials: taken.map((part) => part.charAt(0).toUpperCase()).join('') }
  }
  return longest
}

const isOneName = ({ run }: Run, gap: string): boolean =>
  between.test(gap) || (run.length <= shortLengthMax && stop.test(gap))

/** Text and sentences alike, so that what each rests on is still found. */
export const keepNamesOut = (
  sections: readonly NoteSection[],
  keep: (text: string) => string,
): NoteSection[] =>
  sections.map((section) => ({
    ...section,
    content: keep(section.content),
    evidence: section.evidence.map((entry) => ({ ...entry, sentence: keep(entry.sentence) })),
  }))
