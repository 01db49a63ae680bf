import { toPast, toThirdSingular } from '../../text/verb-forms.js'
import { tokenizeWords, type WordToken } from '../../text/tokenize-words.js'
import type { Scope } from './edit.js'
import { changeTexts, outsideQuotes, type EditableNote } from './editable-note.js'

/** The verbs of notes that are no nouns in their form with "s". */
const plainVerbs =
  `describe endorse deny identify appear feel sleep want say think believe know live take continue remain express share
  discuss explain agree try avoid acknowledge recognize maintain seem engage respond participate prefer find get go come
  eat wake miss enjoy see speak make keep give tell ask understand hear argue isolate recall remember manage cope
  attribute relate connect consider indicate suggest require refuse decline accept follow attend demonstrate become lose
  start stop begin leave stay spend receive tolerate improve meet hold bring add verbalize tend ruminate occur lead help`
    .trim()
    .split(/\s+/)

/** Their form with "s" may be a noun: "reports", "needs". They count only behind a person. */
const nounLikeVerbs =
  `report state note rate plan need work drink struggle worry hope experience show look cry fight practice use view score
  link support benefit request cause talk estimate exercise smoke present like play walk call struggle journal
  dream push`
    .trim()
    .split(/\s+/)

const pastOfThird = new Map(
  [...plainVerbs, ...nounLikeVerbs].map((base) => [toThirdSingular(base), toPast(base)]),
)
const pastOfBase = new Map([...plainVerbs, ...nounLikeVerbs].map((base) => [base, toPast(base)]))
const nounLike = new Set(nounLikeVerbs.map(toThirdSingular))

const auxiliaries = new Map([
  ['is', 'was'],
  ['are', 'were'],
  ['am', 'was'],
  ["isn't", "wasn't"],
  ["aren't", "weren't"],
  ['has', 'had'],
  ["hasn't", "hadn't"],
  ['does', 'did'],
  ["doesn't", "didn't"],
  ["don't", "didn't"],
  ["haven't", "hadn't"],
  ['cannot', 'could not'],
  ['can', 'could'],
  ["can't", "couldn't"],
])

const persons = new Set(
  'client patient clinician therapist provider prescriber psychiatrist he she who it mother father partner wife husband'.split(
    ' ',
  ),
)
const plurals = new Set('they we i you clients patients parents'.split(' '))
const adverbs = new Set(
  'also still currently often sometimes usually always never not frequently now generally rarely mostly typically then only'.split(
    ' ',
  ),
)
/** Behind one of these a base form is an infinitive. */
const modals = new Set(
  'to will would should could may might must can shall did does do didn’t not let help helps'.split(' '),
)
/** Behind one of these a word with "s" is a noun. */
const determiners = new Set(
  'the a an her his their its this that these those of in on for no any some my our'.split(' '),
)

/** What is still to come stays so. */
const isFuture = (text: string) =>
  /\bwill\b|\b(?:next (?:week|session|appointment|visit|month)|tomorrow|going to)\b/i.test(text)

export const writePastTense = (note: EditableNote, scope: Scope): EditableNote => {
  // A plan is about what comes; its sentences are turned only when it is named.
  const inScope = scope ?? note.sections.map(({ key }) => key).filter((key) => key !== 'plan')
  return changeTexts(note, inScope, (text) =>
    isFuture(text) ? text : outsideQuotes(text, (part) => turnVerbs(part)),
  )
}

function turnVerbs(text: string): string {
  const tokens = tokenizeWords(text)
  const turned = tokens.map((_, at) => findPast(tokens, at, text))
  return tokens.reduceRight((result, token, at) => {
    const past = turned[at]
    if (past === undefined || past === null) return result
    const cased = /^\p{Lu}/u.test(token.text) ? past.charAt(0).toUpperCase() + past.slice(1) : past
    return result.slice(0, token.start) + cased + result.slice(token.end)
  }, text)
}

function findPast(tokens: readonly WordToken[], at: number, text: string): string | null {
  const word = tokens[at]
  if (word === undefined) return null
  const before = findSubject(tokens, at)
  const previous = tokens[at - 1]?.lower ?? ''
  if (word.lower === 'can' && determiners.has(previous)) return null
  const auxiliary = auxiliaries.get(word.lower)
  if (auxiliary !== undefined) return auxiliary
  if (word.lower === 'have' || word.lower === 'do') {
    return plurals.has(before) ? (word.lower === 'have' ? 'had' : 'did') : null
  }
  const past = pastOfThird.get(word.lower)
  if (past !== undefined) return isVerb(tokens, at, before, text) ? past : null
  const plural = pastOfBase.get(word.lower)
  return plural !== undefined && plurals.has(before) && !modals.has(previous) ? plural : null
}

function isVerb(tokens: readonly WordToken[], at: number, subject: string, text: string): boolean {
  const word = tokens[at]
  const previous = tokens[at - 1]
  if (word === undefined || previous === undefined || modals.has(previous.lower)) return false
  if (persons.has(subject)) return true
  if (nounLike.has(word.lower)) return false
  if (determiners.has(previous.lower) && previous.lower !== 'that') return false
  return !/[.:;]/.test(text.slice(previous.end, word.start))
}

/** The word before the verb, over adverbs. */
function findSubject(tokens: readonly WordToken[], at: number): string {
  let before = at - 1
  while (before >= 0 && adverbs.has(tokens[before]?.lower ?? '')) before -= 1
  return tokens[before]?.lower ?? ''
}
