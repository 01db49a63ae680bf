import type { NoteTemplate } from '@casenote/contract'
import { listSectionNames } from '../edits/name-sections.js'
import { findAccount, type Account } from '../is-account.js'
import { wordNotAsked } from '../say-not-asked.js'
import { isBuiltIn, templateOf } from '../templates/built-in-templates.js'
import { listKeys, placeOf } from '../templates/note-template.js'
import type { JudgedSection, JudgedSentence, WritingRequest } from '../writer-engine.js'
import { readTurns, type Said } from './read-turns.js'
import { listSlots, shareSlots, type Slot } from './slots.js'

/**
 * The note of a session that its clinician typed or dictated: every sentence of theirs, once and word for word, in the section that they
 * named for it ("Plan: call the school"), else where the reader places it. Nothing is chosen or left out: what somebody typed is
 * their note already.
 */
export function placeAccount(request: WritingRequest): JudgedSection[] {
  const { reading, jotted, transcript } = request
  const template = templateOf(request)
  const { lines, hasHeadings } = placeLines(request)
  const account = findAccount(transcript)
  const nothing = wordNothing(account?.how ?? 'typed', hasHeadings)
  const notAsked = wordNotAsked(reading.findings, jotted, account)
  return listKeys(template).map((key) => {
    const own = lines.filter(({ section }) => section === key).map(asOwnWords)
    const sentences =
      notAsked !== null && key === placeOf(template, 'danger') ? [...own, unsaid(notAsked)] : own
    return { key, layout: 'paragraph', sentences: sentences.length > 0 ? sentences : [unsaid(nothing)] }
  })
}

/** An empty section would read as if nothing had happened. Without headings nobody said what a line was told for. */
const wordNothing = (how: Account['how'], hasHeadings: boolean): string =>
  hasHeadings ? `Nothing was ${how} for this section.` : `None of what was ${how} was placed in this section.`

/** A sentence that somebody typed, in its section. */
export interface Placed {
  section: string
  text: string
  items: readonly number[]
  /** It begins a line of its own, as it was typed. */
  isFirst: boolean
  worth: number
}

export const placeSentences = (request: WritingRequest): Placed[] => placeLines(request).lines

function placeLines(request: WritingRequest): { lines: Placed[]; hasHeadings: boolean } {
  const { transcript, reading } = request
  const template = templateOf(request)
  const talk = readTurns(transcript, reading)
  const placed: Placed[] = []
  let named: Cue | null = null
  let lastItem = -1
  let isOpening = true
  for (const said of talk.sentences) {
    const isFirst = said.items[0] !== lastItem
    lastItem = said.items[0] ?? lastItem
    const cue: Cue | null = isFirst ? readCue(template, said.text, { last: named, isOpening }) : null
    named = cue ?? named
    isOpening = false
    const text = cue === null ? said.text : cue.rest
    if (text === '') continue
    const before = isFirst ? undefined : placed.at(-1)
    const section = settleSection(request, said, named) ?? before?.section ?? placeOf(template, 'reported')
    const isNewLine = isFirst || before?.section !== section
    placed.push({ section, text, items: said.items, isFirst: isNewLine, worth: said.figures.worth })
  }
  return { lines: placed, hasHeadings: named !== null }
}

interface Cue {
  section: string
  /** What stands behind it on its line. */
  rest: string
  /** It is the name of a section of this type of note. */
  isOwn: boolean
}

/** Under the heading that was typed for it; a letter of another type of note leaves danger where it is looked for. */
function settleSection(request: WritingRequest, said: Said, named: Cue | null): string | null {
  if (named?.isOwn === true) return named.section
  const chosen = chooseSection(request, said)
  return named === null || chosen === placeOf(templateOf(request), 'danger') ? chosen : named.section
}

/** "Plan: call the school", "P: …", or a heading on a line of its own: what follows stands there until the next one. */
function readCue(template: NoteTemplate, text: string, before: Before): Cue | null {
  const colon = text.slice(0, cueLengthMax).indexOf(':')
  const name = (colon < 0 ? text.replace(/\.$/, '') : text.slice(0, colon)).trim().toLowerCase()
  if (name.length > cueLengthMax) return null
  const rest = colon < 0 ? '' : text.slice(colon + 1).trim()
  const key = listSectionNames(template).find((one) => one.name === name)?.key
  if (key !== undefined) return { section: key, rest, isOwn: true }
  const lettered = colon === 1 ? findLettered(template, name, before) : null
  if (lettered !== null) return { ...lettered, rest }
  const kind = colon < 0 ? undefined : soapNames.get(name)
  const slot = kind === undefined ? undefined : listSlots(template).find((one) => one.kind === kind)
  return slot === undefined ? null : { section: slot.section, rest, isOwn: false }
}

/** What stood before a heading: the last one, or nothing at all. */
interface Before {
  last: Cue | null
  isOpening: boolean
}

/** P, I, R, P: of two sections with the same letter the one that comes next in the note. Null: it is no letter of this type. */
function findLettered(template: NoteTemplate, letter: string, before: Before): Omit<Cue, 'rest'> | null {
  const keys = listKeys(template)
  const fitting = keys.filter((key) => key.startsWith(letter))
  const [first] = fitting
  if (keys.length > 4 || first === undefined || !isBuiltIn(template.id)) return null
  if (fitting.length === 1) return { section: first, isOwn: true }
  const { last, isOpening } = before
  if (last === null) return isOpening ? { section: first, isOwn: true } : null
  const at = keys.indexOf(last.section)
  const next = fitting.find((key) => keys.indexOf(key) > at) ?? fitting.at(-1) ?? first
  return { section: next, isOwn: last.isOwn }
}

/** Many type in the order of a SOAP note, whatever type it becomes. */
const soapNames: ReadonlyMap<string, Slot['kind']> = new Map([
  ['s', 'reported'],
  ['subjective', 'reported'],
  ['o', 'observed'],
  ['objective', 'observed'],
  ['a', 'judgement'],
  ['assessment', 'judgement'],
  ['p', 'plan'],
])

/** Longer than any name of a section. */
const cueLengthMax = 60

/** How a mental status is typed; the encoder heard nobody speak so. */
const observes =
  /^(?:affect|appearance|appeared|eye contact|speech|(?:alert|oriented)\b|well[- ]groomed|tearful|thought (?:process|content)|insight|mood and affect|psychomotor|mse)\b/i

/** How it is typed what comes next; among what was told the encoder often takes it for more of that. */
const plans =
  /^(?:(?:(?:we|i|both|client|patient|pt|he|she|they) )?(?:have |has |also )?agreed (?:on|to|that|upon)\b|plan(?:s|ned)? (?:is|to|for)\b|(?:(?:we|i|client|patient|pt|he|she|they) )?(?:will|['’]ll) (?:also )?(?:call|send|see|refer|meet|return|come back|follow|continue|start|try|practi[cs]e|keep|bring|book|contact|check|review|schedule)\b|(?:to )?(?:follow[- ]?up|return to clinic|rtc|refer(?:red)? to|continue|next (?:session|visit|appointment))\b)/i

/** Of a sentence with next to nothing in it the figures say nothing: it stands with the one before it. */
const contentMin = 0.25

function chooseSection(request: WritingRequest, said: Said): string | null {
  const slots = listSlots(templateOf(request))
  if (observes.test(said.text)) return slots.find(({ kind }) => kind === 'observed')?.section ?? null
  if (plans.test(said.text)) return placeOf(templateOf(request), 'plan')
  const shares = shareSlots(said, slots, { isNearDanger: true })
  const content = shares.reduce((sum, share) => sum + share, 0)
  if (content < contentMin) return null
  const best = shares.reduce((at, share, index) => (share > (shares[at] ?? 0) ? index : at), 0)
  return slots[best]?.section ?? null
}

const asOwnWords = ({ text, items, isFirst }: Placed): JudgedSentence => ({
  text,
  transcriptItems: items,
  judgement: 'clinicians_words',
  reason: null,
  startsParagraph: isFirst,
})

const unsaid = (text: string): JudgedSentence => ({
  text,
  transcriptItems: [],
  judgement: 'exact_checks_only',
  reason: null,
  startsParagraph: true,
})
