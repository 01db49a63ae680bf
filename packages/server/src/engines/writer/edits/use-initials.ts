import { findMedications } from '../../lexicon/medications.js'
import { EditRefusal, type Scope } from './edit.js'
import { changeTexts, isInScope, outsideQuotes, type EditableNote } from './editable-note.js'
import { givenNames } from '../../lexicon/given-names.js'

/** Behind one of these a capital begins a person's name. */
const relation =
  'brother|sister|mother|father|mom|dad|son|daughter|husband|wife|partner|boyfriend|girlfriend|fianc[eé]e?|friend|boss|supervisor|manager|coworker|colleague|roommate|neighbor|uncle|aunt|cousin|grandmother|grandfather|stepmother|stepfather|stepson|stepdaughter|nephew|niece|sponsor|therapist|named|called'
const title = String.raw`(?:Dr|Mr|Mrs|Ms|Prof)\.?`
const word = String.raw`\p{Lu}\p{Ll}+(?:[-’']\p{Lu}\p{Ll}+)?`

const behindRelation = new RegExp(String.raw`\b(?:${relation}),? (${word}(?: ${word})?)`, 'gu')
const behindTitle = new RegExp(String.raw`\b${title} (${word})`, 'gu')
const anyName = new RegExp(String.raw`${word}(?: ${word})?`, 'gu')

/** Capitals that begin no person. */
const noPerson =
  /^(?:Client|Patient|Clinician|Therapist|Provider|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|Christmas|Easter|Thanksgiving|English|Spanish|American|Anonymous|Zoom)$/

/** Names that are words as well. */
const words = new Set(
  `will mark grace hope faith joy may april june rose art bill rob drew pat jack frank dean chase hunter grant victor lily
  daisy violet heath dale glen cliff brook brooke summer autumn dawn eve penny ginger olive ivy pearl ruby amber crystal
  sky max miles ray gene gus rich robin holly paige page mason harper troy jasmine logan christian austin madison`.split(
    /\s+/,
  ),
)

/** Persons become their initials, without stops: "brother Tom Miller" → "brother TM". Quotes included, they name them too. */
export function useInitials(note: EditableNote, scope: Scope, wanted: readonly string[]): EditableNote {
  const texts = note.sections
    .filter(({ key }) => isInScope(scope, key))
    .flatMap(({ sentences }) => sentences.map(({ text }) => text))
  const names = wanted.length > 0 ? wanted : findNames(texts)
  if (names.length === 0) throw new EditRefusal('No names of persons were found in the note.')
  const known = new Set(names)
  return changeTexts(note, scope, (text) => abbreviate(text, known))
}

/** A name is up to four runs of letters: "Anna-Lena Meyer-Schmidt". */
const runs = /[\p{L}\p{N}]+/gu
const runsMax = 4

/** One walk over the text, however many names there are; the longest that begins at a place is taken. */
function abbreviate(text: string, known: ReadonlySet<string>): string {
  const found = [...text.matchAll(runs)].map(({ 0: run, index }) => ({
    start: index,
    end: index + run.length,
  }))
  const parts: string[] = []
  let from = 0
  for (const [at, { start }] of found.entries()) {
    if (start < from) continue
    const end = findNameEnd(text, known, found.slice(at, at + runsMax))
    if (end === null) continue
    parts.push(text.slice(from, start), toInitials(text.slice(start, end)))
    from = end
  }
  return parts.join('') + text.slice(from)
}

function findNameEnd(
  text: string,
  known: ReadonlySet<string>,
  [first, ...others]: readonly { start: number; end: number }[],
): number | null {
  if (first === undefined) return null
  const ends = [first, ...others].map(({ end }) => end).toReversed()
  return ends.find((end) => known.has(text.slice(first.start, end))) ?? null
}

const toInitials = (name: string) =>
  name
    .split(/[\s-]+/)
    .map((part) => part.charAt(0))
    .join('')

function findNames(texts: readonly string[]): string[] {
  const found = new Set<string>()
  const add = (name: string) => {
    const parts = name.split(' ').filter((part) => !noPerson.test(part) && findMedications(part).length === 0)
    if (parts.length === 0) return
    found.add(parts.join(' '))
    for (const part of parts) found.add(part)
  }
  for (const text of texts) {
    for (const [, name = ''] of text.matchAll(behindRelation)) add(name)
    for (const [, name = ''] of text.matchAll(behindTitle)) add(name)
    outsideQuotes(text, (part) => {
      for (const match of part.matchAll(anyName)) if (isFirstName(match[0], match.index === 0)) add(match[0])
      return part
    })
  }
  return [...found]
}

/** "Will" and "Grace" are names only where no sentence begins. */
function isFirstName(name: string, isAtStart: boolean): boolean {
  const first = name.split(' ')[0]?.toLowerCase() ?? ''
  return (
    (givenNames.has(first) && !words.has(first)) ||
    (!isAtStart && (givenNames.has(first) || words.has(first)))
  )
}
