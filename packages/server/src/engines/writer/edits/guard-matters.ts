import { nameMatters } from '../../ledger/name-matters.js'
import type { Finding } from '../../reader/reading.js'
import { EditRefusal, type Edit } from './edit.js'
import { toSections, type EditableNote } from './editable-note.js'
import { makeRestatedFinder } from './find-restated.js'

/** Reads each sentence once, however many edits it stays through. */
export interface MattersGuard {
  /** Refuses a change by which a guarded matter leaves the note or is stated otherwise, unless the edit names it. */
  check(before: EditableNote, after: EditableNote, edit: Edit): void
}

export function makeMattersGuard(findings: readonly Finding[]): MattersGuard {
  const findFound = indexFindings(findings)
  const named = new Map<string, readonly string[]>()
  const nameOnce = (text: string): readonly string[] => {
    const known = named.get(text) ?? nameMatters(text)
    named.set(text, known)
    return known
  }
  const mattersOf = (note: EditableNote): Map<string, Set<string>> => {
    const standing = new Map<string, Set<string>>()
    for (const section of toSections(note)) {
      for (const { text, transcriptItems } of section.sentences) {
        const found = findFound(transcriptItems)
        // Counted apart: a line may keep its place in the talk and lose its words.
        for (const matter of [...nameOnce(text), ...found.map((one) => `${nameFinding(one)}${fromItems}`)])
          standing.set(matter, (standing.get(matter) ?? new Set()).add(text))
      }
    }
    return standing
  }
  const findRestated = makeRestatedFinder()
  return {
    check: (before, after, edit) =>
      refuseUnnamed([
        ...listLost(mattersOf(before), mattersOf(after), new Set(nameMatters(nameWanted(edit)))),
        ...findRestated(before, after, edit),
      ]),
  }
}

/** What the clinician says should go; who replaces a word does not say that its matter should leave. */
const nameWanted = (edit: Edit): string => (edit.kind === 'remove' ? edit.mentions.join(' ') : '')

/** Guarded findings all of whose items a sentence rests on; each is looked up by its first item. */
function indexFindings(findings: readonly Finding[]): (items: readonly number[]) => Finding[] {
  const byFirstItem = new Map<number, Finding[]>()
  for (const finding of findings) {
    const [first] = finding.items
    if (first === undefined || !isGuarded(finding)) continue
    byFirstItem.set(first, [...(byFirstItem.get(first) ?? []), finding])
  }
  return (items) => {
    const own = new Set(items)
    return [...own]
      .flatMap((item) => byFirstItem.get(item) ?? [])
      .filter((finding) => finding.items.every((item) => own.has(item)))
  }
}

const fromItems = ' (found)'

const isGuarded = (finding: Finding): boolean =>
  (finding.kind === 'danger' && finding.certainty === 'plain') ||
  finding.kind === 'medicine' ||
  finding.kind === 'allergy' ||
  (finding.kind === 'decision' && finding.about === 'disposition')

const nameFinding = (finding: Finding): string => {
  if (finding.kind === 'medicine') return finding.name
  if (finding.kind === 'allergy') return 'allergies'
  return finding.kind === 'danger' ? 'danger' : 'disposition'
}

function listLost(
  had: ReadonlyMap<string, ReadonlySet<string>>,
  has: ReadonlyMap<string, ReadonlySet<string>>,
  wanted: ReadonlySet<string>,
): string[] {
  const left = [...had]
    .filter(([matter, lines]) => lines.size > (has.get(matter)?.size ?? 0))
    .map(([matter]) => matter.replace(fromItems, ''))
  const unnamed = left.filter((matter) => !wanted.has(matter))
  // Who names a medicine knows that one goes.
  return unnamed.filter((matter) => matter !== 'medicines' || unnamed.length === left.length)
}

function refuseUnnamed(missing: readonly string[]): void {
  if (missing.length === 0) return
  throw new EditRefusal(
    `With this something would leave the note that the instruction does not name: ${[...new Set(missing)].join(', ')}. Name it in the instruction, or change the text by hand.`,
  )
}
