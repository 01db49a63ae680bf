import type { GoneItem, GoneKind, NoteSection, TranscriptItem } from '@casenote/contract'
import type { Finding } from '../reader/reading.js'
import { keepNamesOut, makeNameKeeper } from '../text/keep-names-out.js'
import { compareNote } from './compare-note.js'
import { findDropped, isGuarded } from './find-dropped.js'
import { indexNote, type NoteSentence } from './index-note.js'
import { labelFinding } from './label-finding.js'
import type { Ledger, LedgerEntry } from './ledger.js'
import { nameMatters } from './name-matters.js'
import { countShared } from './share-words.js'

export interface GoneRequest {
  before: readonly NoteSection[]
  after: readonly NoteSection[]
  findings: readonly Finding[]
  transcript: readonly TranscriptItem[]
  /** Kept out of the note. */
  names?: readonly string[]
}

/** More than anybody reads before saying that a change may stay; danger comes first. */
const goneMax = 100

/** The share of a sentence's words that must stand in one that says the same in other words. */
const sharedShare = 0.5

const kindOrder: readonly GoneKind[] = ['danger', 'weapon', 'medicine', 'allergy', 'disposition']

/**
 * What a note said about danger, weapons, medicines, allergies and disposition and does not say any more: what was said in the
 * session, by the ledger; and sentences that rest on no finding, as a clinician types them, by their words.
 */
export const findGone = ({ names = [], findings, transcript, ...given }: GoneRequest): GoneItem[] => {
  const keep = makeNameKeeper(names)
  const [before, after] = [keepNamesOut(given.before, keep), keepNamesOut(given.after, keep)]
  const ledgerBefore = compareNote({ sections: before, findings, transcript, names })
  const dropped = findDropped(ledgerBefore, compareNote({ sections: after, findings, transcript, names }))
  const seen = new Set<string>()
  return [...dropped.map(toItem), ...listLostSentences(before, after, ledgerBefore)]
    .filter(({ id, kind, label }) => {
      // A medicine that was named four times is one line.
      const key = kind === 'danger' || label === null ? id : `${kind} ${label}`
      return !seen.has(key) && seen.add(key).size > 0
    })
    .toSorted((one, other) => kindOrder.indexOf(one.kind) - kindOrder.indexOf(other.kind))
    .slice(0, goneMax)
}

const toItem = ({ finding, state }: LedgerEntry): GoneItem => ({
  id: finding.id,
  kind: kindOf(finding),
  label: labelFinding(finding),
  words: finding.words,
  transcriptItems: [...finding.items],
  isContradicted: state === 'contradicted',
})

const kindOf = (finding: Finding): GoneKind =>
  finding.kind === 'danger' || finding.kind === 'medicine' || finding.kind === 'allergy'
    ? finding.kind
    : 'disposition'

/** Sentences with such a matter that no finding answers for, and that nothing in the text of now says in other words. */
function listLostSentences(
  before: readonly NoteSection[],
  after: readonly NoteSection[],
  ledger: Ledger,
): GoneItem[] {
  const answered = listAnswered(ledger)
  const now = indexNote(after)
  const kept = new Set(now.sentences.map(({ text }) => text))
  const lost: GoneItem[] = []
  for (const sentence of indexNote(before).sentences) {
    if (lost.length === goneMax) break
    const { text, items } = sentence
    if (kept.has(text)) continue
    const matters = nameMatters(text).filter((matter) => answered.get(text)?.has(matter) !== true)
    const [first] = matters
    if (first === undefined || now.sharing(text).some((one) => saysSame(one, sentence, matters))) continue
    lost.push({
      id: `sentence-${lost.length + 1}`,
      kind: matterKinds[first] ?? 'medicine',
      label: null,
      words: text,
      transcriptItems: [...items],
      isContradicted: false,
    })
  }
  return lost
}

/**
 * By sentence, the matters of it that the ledger answers for: what was found there is stated still, or named as dropped. Not the
 * sentence itself: "Takes sertraline and keeps a rifle at his brother's" may lose the rifle, of which nobody spoke.
 */
function listAnswered({ entries }: Ledger): ReadonlyMap<string, ReadonlySet<string>> {
  const answered = new Map<string, Set<string>>()
  for (const { finding, sentence } of entries) {
    if (sentence === null || !isGuarded(finding)) continue
    const matters = answered.get(sentence) ?? new Set()
    answered.set(sentence, matters)
    for (const matter of nameMatters(`${finding.words} ${labelFinding(finding)}`)) matters.add(matter)
    matters.add(ownMatters[kindOf(finding)])
    // A safety step is written down with what it is for.
    if (finding.kind === 'decision' && finding.about === 'safety_step') matters.add('danger')
  }
  return answered
}

const ownMatters: Readonly<Record<GoneKind, string>> = {
  danger: 'danger',
  weapon: 'weapons',
  medicine: 'medicines',
  allergy: 'allergies',
  disposition: 'disposition',
}

/** A matter that is no word of these is the name of a medicine. */
const matterKinds: Readonly<Record<string, GoneKind>> = {
  weapons: 'weapon',
  danger: 'danger',
  allergies: 'allergy',
  disposition: 'disposition',
}

function saysSame(one: NoteSentence, sentence: NoteSentence, matters: readonly string[]): boolean {
  if (countShared(sentence.stems, one.stems) < sentence.stems.size * sharedShare) return false
  const named = new Set(nameMatters(one.text))
  return matters.every((matter) => named.has(matter) || matter === 'medicines')
}
