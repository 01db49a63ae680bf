import { NOTE_TEMPLATES } from '@casenote/contract'
import { listSectionNames } from '../edits/name-sections.js'
import { listTyped } from '../is-account.js'
import { RISK_SECTIONS } from '../risk-sections.js'
import { wordNotAsked } from '../say-not-asked.js'
import type { JudgedSection, JudgedSentence, WritingRequest } from '../writer-engine.js'
import { readTurns, type Said } from './read-turns.js'
import { listSlots, reportSection, shareSlots, type Slot } from './slots.js'

/**
 * The note of a session that its clinician typed: every sentence of theirs, once and word for word, in the section that they
 * named for it ("Plan: call the school"), else where the reader places it. Nothing is chosen or left out: what somebody typed is
 * their note already.
 */
export function placeAccount(request: WritingRequest): JudgedSection[] {
  const { noteType, reading, jotted, transcript } = request
  const lines = placeSentences(request)
  const notAsked = wordNotAsked(reading.findings, jotted, listTyped(transcript))
  return NOTE_TEMPLATES[noteType].sections.map(({ key }) => {
    const own = lines.filter(({ section }) => section === key).map(asOwnWords)
    const sentences = notAsked !== null && key === RISK_SECTIONS[noteType] ? [...own, unsaid(notAsked)] : own
    return { key, layout: 'paragraph', sentences: sentences.length > 0 ? sentences : [unsaid(nothingTyped)] }
  })
}

/** An empty section would read as if nothing had happened. */
const nothingTyped = 'Nothing was typed for this section.'

/** A sentence that somebody typed, in its section. */
export interface Placed {
  section: string
  text: string
  items: readonly number[]
  /** It begins a line of its own, as it was typed. */
  isFirst: boolean
  worth: number
}

export function placeSentences(request: WritingRequest): Placed[] {
  const { noteType, transcript, reading } = request
  const talk = readTurns(transcript, reading)
  const placed: Placed[] = []
  let named: Cue | null = null
  let lastItem = -1
  for (const said of talk.sentences) {
    const isFirst = said.items[0] !== lastItem
    lastItem = said.items[0] ?? lastItem
    const cue = isFirst ? readCue(noteType, said.text) : null
    named = cue ?? named
    const text = cue === null ? said.text : cue.rest
    if (text === '') continue
    const before = isFirst ? undefined : placed.at(-1)
    const section = settleSection(request, said, named) ?? before?.section ?? reportSection(noteType)
    const isNewLine = isFirst || before?.section !== section
    placed.push({ section, text, items: said.items, isFirst: isNewLine, worth: said.figures.worth })
  }
  return placed
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
  return named === null || chosen === RISK_SECTIONS[request.noteType] ? chosen : named.section
}

/** "Plan: call the school", "P: …", or a heading on a line of its own: what follows stands there until the next one. */
function readCue(noteType: WritingRequest['noteType'], text: string): Cue | null {
  const colon = text.slice(0, cueLengthMax).indexOf(':')
  const name = (colon < 0 ? text.replace(/\.$/, '') : text.slice(0, colon)).trim().toLowerCase()
  if (name.length > cueLengthMax) return null
  const rest = colon < 0 ? '' : text.slice(colon + 1).trim()
  const key = listSectionNames(noteType).find((one) => one.name === name)?.key
  if (key !== undefined) return { section: key, rest, isOwn: true }
  const { sections } = NOTE_TEMPLATES[noteType]
  const lettered = sections.filter(({ title }) => title.toLowerCase().startsWith(name))
  const [only] = lettered
  if (colon === 1 && sections.length <= 4 && lettered.length === 1 && only !== undefined)
    return { section: only.key, rest, isOwn: true }
  const kind = colon < 0 ? undefined : soapNames.get(name)
  const slot = kind === undefined ? undefined : listSlots(noteType).find((one) => one.kind === kind)
  return slot === undefined ? null : { section: slot.section, rest, isOwn: false }
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

/** Of a sentence with next to nothing in it the figures say nothing: it stands with the one before it. */
const contentMin = 0.25

function chooseSection({ noteType }: WritingRequest, said: Said): string | null {
  const slots = listSlots(noteType)
  if (observes.test(said.text)) return slots.find(({ kind }) => kind === 'observed')?.section ?? null
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
