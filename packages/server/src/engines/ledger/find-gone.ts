import type { GoneItem, GoneKind, NoteSection, TranscriptItem } from '@casenote/contract'
import { isSameElement } from '../reader/danger/claim-words.js'
import type { DangerFinding, Finding } from '../reader/reading.js'
import { keepNamesOut, makeNameKeeper } from '../text/keep-names-out.js'
import { compareNote } from './compare-note.js'
import { compareStatements } from './compare-statements.js'
import { findDropped, isGuarded } from './find-dropped.js'
import { indexNote, type NoteSentence } from './index-note.js'
import { labelFinding } from './label-finding.js'
import type { Ledger, LedgerEntry } from './ledger.js'
import { nameMatters } from './name-matters.js'
import { isKin, type StatedDanger } from './read-dangers.js'
import { frameOf, readStatements, type Statements } from './read-statements.js'

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
  return [...dropped.map(toItem), ...listLostSentences(before, after, { ledger: ledgerBefore, dropped })]
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
  { ledger, dropped }: { ledger: Ledger; dropped: readonly LedgerEntry[] },
): GoneItem[] {
  const answered = listAnswered(ledger, new Set(dropped.map(({ finding }) => finding.id)))
  const now = indexNote(after)
  const kept = new Set(now.sentences.map(placeOf))
  const statementsOf = makeStatementsReader()
  const lost: GoneItem[] = []
  for (const sentence of indexNote(before).sentences) {
    if (lost.length === goneMax) break
    if (kept.has(placeOf(sentence))) continue
    const open = leaveAnswered(statementsOf(sentence), answered.get(sentence.text))
    if (open.matters.length === 0 && open.dangers.length === 0 && open.medicines.length === 0) continue
    const found = compareStatements(sentence, open, now.sharing(sentence.text), statementsOf)
    if (found === 'kept') continue
    lost.push({
      id: `sentence-${lost.length + 1}`,
      kind: kindOfLost(open),
      label: null,
      words: sentence.text,
      transcriptItems: [...sentence.items],
      isContradicted: found === 'contradicted',
    })
  }
  return lost
}

/** The same words in another section may be of somebody else, or of another time. */
const placeOf = ({ text, section }: NoteSentence): string => `${frameOf(section)} ${text}`

/** Each sentence is read once, however many it is compared with. */
function makeStatementsReader(): (sentence: NoteSentence) => Statements {
  const known = new Map<NoteSentence, Statements>()
  return (sentence) => {
    const read = known.get(sentence) ?? readStatements(sentence.text, sentence.section)
    known.set(sentence, read)
    return read
  }
}

/** What the ledger answers for in a sentence: what was found there is stated still, or named as dropped. */
interface Answered {
  matters: Set<string>
  dangers: DangerFinding[]
  /** Names of medicines that are named as dropped. */
  dropped: Set<string>
  hasSafetyStep: boolean
}

/**
 * Not the sentence itself: "Takes sertraline and keeps a rifle at his brother's" may lose the rifle, of which nobody spoke. Nor
 * all that it says of danger: "Reports SI, denies HI" may lose the denial.
 */
function listAnswered({ entries }: Ledger, dropped: ReadonlySet<string>): ReadonlyMap<string, Answered> {
  const answered = new Map<string, Answered>()
  for (const { finding, sentence } of entries) {
    if (sentence === null || !isGuarded(finding)) continue
    const own = answered.get(sentence) ?? {
      matters: new Set(),
      dangers: [],
      dropped: new Set(),
      hasSafetyStep: false,
    }
    answered.set(sentence, own)
    for (const matter of nameMatters(`${finding.words} ${labelFinding(finding)}`)) {
      own.matters.add(matter)
      if (dropped.has(finding.id)) own.dropped.add(matter)
    }
    own.matters.add(ownMatters[kindOf(finding)])
    if (finding.kind === 'danger') own.dangers.push(finding)
    // A safety step is written down with what it is for.
    if (finding.kind === 'decision' && finding.about === 'safety_step') {
      own.matters.add('danger')
      own.hasSafetyStep = true
    }
  }
  return answered
}

function leaveAnswered(statements: Statements, answered: Answered | undefined): Statements {
  if (answered === undefined) return statements
  return {
    ...statements,
    matters: statements.matters.filter((matter) => !answered.matters.has(matter)),
    // That it is named still says nothing of its dose, of how often it is taken and of what became of it.
    medicines: statements.medicines.filter(({ generic }) => !answered.dropped.has(generic)),
    allergy: answered.matters.has('allergies') ? null : statements.allergy,
    dispositions: answered.matters.has('disposition') ? [] : statements.dispositions,
    dangers: answered.hasSafetyStep
      ? []
      : statements.dangers.filter(
          (danger) => !answered.dangers.some((finding) => answersFor(finding, danger)),
        ),
  }
}

const answersFor = ({ matter, element }: DangerFinding, danger: StatedDanger): boolean =>
  danger.topic === 'any' ||
  ((danger.topic === 'weapon' ? element === 'means' : isKin(matter, danger.topic)) &&
    isSameElement(element, danger.element))

const ownMatters: Readonly<Record<GoneKind, string>> = {
  danger: 'danger',
  weapon: 'weapons',
  medicine: 'medicines',
  allergy: 'allergies',
  disposition: 'disposition',
}

const kindOfLost = ({ matters, dangers }: Statements): GoneKind => {
  const [first] = matters
  if (first !== undefined) return matterKinds[first] ?? 'medicine'
  const [danger] = dangers
  return danger === undefined ? 'medicine' : danger.topic === 'weapon' ? 'weapon' : 'danger'
}

/** A matter that is no word of these is the name of a medicine. */
const matterKinds: Readonly<Record<string, GoneKind>> = {
  weapons: 'weapon',
  danger: 'danger',
  allergies: 'allergy',
  disposition: 'disposition',
}
