import { nameRunsMax, splitName, type NoteSection } from '@casenote/contract'
import { isCommonWord } from '../lexicon/common-words.js'
import { findAllMedications } from '../lexicon/medications.js'

const runs = /[\p{L}\p{N}]+/gu

/** What may stand between the parts of one name; a stop only behind a short part: "St. Mary". */
const between = /^[\s\-‐‑–’‘'&,]{1,3}$/u
const stop = /^\.\s?$/u
const shortLengthMax = 3

/**
 * Puts initials in the place of names that must not stand in a note, in quotes as well. A plain comparison, after everything else: in
 * whatever case it is written, but a name that is an English word, too ("Will", "Grace"), only with a capital or as it was given. A
 * name that was given with the last name first ("Smith, Rosalind") is found in both orders. One that is a medicine's, too ("Allegra"),
 * is taken out only where it is plainly a person's: a medicine that is initials in a note is the worse fault.
 */
export function makeNameKeeper(names: readonly string[]): (text: string) => string {
  const known: KnownNames = { firsts: new Set(), names: new Map() }
  for (const name of names) {
    for (const parts of listOrders(name)) {
      const exact = parts.join(' ')
      const isWord = parts.length === 1 && isCommonWord(exact)
      const forms = new Set([exact, exact.toUpperCase(), capitalize(exact)])
      known.firsts.add(parts[0]?.toLowerCase() ?? '')
      const isMedicine = parts.length === 1 && findAllMedications(exact).length > 0
      known.names.set(
        exact.toLowerCase(),
        (written, around) => (!isWord || forms.has(written)) && (!isMedicine || isOfPerson(around)),
      )
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

/** What stands before and behind a name. */
interface Around {
  before: string
  behind: string
}

/** "My sister Allegra", "Allegra said", "Allegra’s mother". */
const namesPersonBefore =
  /\b(?:sister|brother|daughter|son|wife|husband|spouse|partner|mother|mom|father|dad|aunt|uncle|cousin|niece|nephew|girlfriend|boyfriend|friend|roommate|neighbor|coworker|boss|teacher|classmate|named|Ms\.?|Mrs\.?|Mr\.?)[, ]{1,2}$/i
const namesPersonBehind =
  /^(?: (?:said|says|told|tells|called|calls|asked|asks|texted|texts|came|comes|went|goes|left|moved|died|yelled|thinks|wants|and (?:I|me))\b|[’'‘]s (?:mother|mom|father|dad|parents|sister|brother|husband|wife|partner|teacher|school|house|home|room|birthday|wedding|funeral|party|phone|car)\b)/
const speaksOfMedicine =
  /\b(?:\d{1,5} ?(?:mg|mcg|ml|milligrams?)|doses?|tablets?|pills?|capsules?|tak(?:e|es|en|ing)|took|prescri\w{1,8}|refills?|allerg(?:y|ies|ic)|medicines?|medications?|side effects?|pharmacy)\b/i

const isOfPerson = ({ before, behind }: Around): boolean =>
  (namesPersonBefore.test(before) || namesPersonBehind.test(behind)) &&
  !speaksOfMedicine.test(before) &&
  !speaksOfMedicine.test(behind)

interface KnownNames {
  /** In lower case: most words of a text begin no name. */
  firsts: Set<string>
  /** By the name in lower case: whether it is one as it is written. */
  names: Map<string, (written: string, around: Around) => boolean>
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

/** What is said of a medicine is said this close to it. */
const aroundLength = 60

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
    const isName = known.names.get(written.toLowerCase())
    if (isName === undefined) continue
    const from = following[0]?.start ?? start
    const before = text.slice(Math.max(0, from - aroundLength), from)
    if (isName(written, { before, behind: text.slice(end, end + aroundLength) }))
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
