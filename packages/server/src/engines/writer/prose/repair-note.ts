import { NOTE_TEMPLATES, type NoteType } from '@casenote/contract'
import { EngineFault } from '../../engine-fault.js'
import type { LedgerEntry } from '../../ledger/ledger.js'
import { toNoteSections } from '../to-note-sections.js'
import type { DraftSection, DraftSentence, JudgedSection, JudgedSentence } from '../writer-engine.js'
import { Repair, repairsMax } from './answer-schemas.js'
import { askForJson } from './ask-for-json.js'
import { repairTask } from './prompts.js'
import { quoteParts, toTask, type ProseParts, type Session } from './prose-parts.js'
import { quoteNote, quoteText } from './quote-data.js'
import { readSentence } from './read-draft.js'
import { estimateTokens } from './token-budget.js'

/** What is to be mended: the refused sentences with their sections, and what was said and is not stated. */
export interface Damage {
  refused: readonly { key: string; sentence: JudgedSentence }[]
  missing: readonly LedgerEntry[]
}

export const listRefused = (sections: readonly JudgedSection[]): Damage['refused'] =>
  sections.flatMap(({ key, sentences }) =>
    sentences.flatMap((sentence) => (sentence.judgement === 'refused' ? [{ key, sentence }] : [])),
  )

/** New sentences by the refused ones they replace (null: nothing is left to say), and further ones by section. */
export interface Mending {
  changes: ReadonlyMap<JudgedSentence, DraftSentence | null>
  additions: readonly { key: string; sentence: DraftSentence }[]
}

/**
 * One question for everything: rounds are counted, and this is the only one (see write-note.ts). Null: no answer that can
 * be used. The note is there, and what is wrong in it is settled without the model.
 */
export async function askForRepair(
  { model, budget }: ProseParts,
  session: Session,
  noteType: NoteType,
  sections: readonly JudgedSection[],
  damage: Damage,
  signal: AbortSignal,
): Promise<Mending | null> {
  const refused = damage.refused.slice(0, repairsMax)
  const missing = dropRepeated(damage.missing).slice(0, repairsMax)
  const keys = NOTE_TEMPLATES[noteType].sections.map(({ key }) => key)
  const data = [
    quoteNote(toNoteSections(noteType, sections)),
    quoteRefused(refused),
    quoteMissing(missing),
  ].join('\n\n')
  const rules = repairTask(noteType, keys)
  const cited = [
    ...refused.flatMap(({ sentence }) => sentence.transcriptItems),
    ...missing.flatMap(({ finding }) => finding.items),
  ]
  const material = session.isWhole
    ? session.material
    : quoteParts(session, cited, budget, estimateTokens(data + rules))
  const task = toTask(
    'repair',
    { material, data, rules },
    { schema: Repair(keys, session.transcript.length), outputTokensMax: budget.outputTokensMax },
  )
  try {
    return await askForJson(model, task, (answer) => ({ value: readRepair(answer, refused) }), signal)
  } catch (error) {
    if (error instanceof EngineFault && error.kind === 'malformed') return null
    throw error
  }
}

/** Two findings in the same words, as of thoughts and of a plan, are one sentence to add. */
function dropRepeated(missing: readonly LedgerEntry[]): LedgerEntry[] {
  const seen = new Set<string>()
  return missing.filter(({ finding }) => {
    const key = `${finding.kind} ${finding.words}`
    return !seen.has(key) && seen.add(key) !== undefined
  })
}

function readRepair(answer: Repair, refused: Damage['refused']): Mending {
  const changes = new Map<JudgedSentence, DraftSentence | null>()
  for (const { n, text, items } of answer.changes) {
    const sentence = refused[n - 1]?.sentence
    if (sentence === undefined) continue
    changes.set(sentence, text === null ? null : (readSentence({ text, items })[0] ?? null))
  }
  return {
    changes,
    additions: answer.additions.flatMap(({ section, text, items }) =>
      readSentence({ text, items }).map((sentence) => ({ key: section, sentence })),
    ),
  }
}

/** Only what was refused is replaced; what is added stands at the end of its section. */
export const mend = (sections: readonly JudgedSection[], { changes, additions }: Mending): DraftSection[] =>
  sections.map((section) => ({
    ...section,
    sentences: [
      ...section.sentences.flatMap((sentence): DraftSentence[] => {
        const change = changes.get(sentence)
        return change === undefined ? [sentence] : change === null ? [] : [change]
      }),
      ...additions.flatMap(({ key, sentence }) => (key === section.key ? [sentence] : [])),
    ],
  }))

const quoteRefused = (refused: Damage['refused']): string =>
  [
    '<sentences>',
    ...refused.map(
      ({ key, sentence: { text, transcriptItems, reason } }, index) =>
        `${index + 1}. section ${key}, refused (${reason ?? 'not_said'}): ${quoteText(text)} {items: ${transcriptItems.join(', ')}}`,
    ),
    '</sentences>',
  ].join('\n')

const quoteMissing = (missing: readonly LedgerEntry[]): string =>
  [
    '<findings>',
    ...missing.map(({ finding, state, sentence }) => {
      const said = `${finding.kind}, "${quoteText(finding.words)}" {items: ${finding.items.join(', ')}}`
      return state === 'contradicted' && sentence !== null
        ? `- ${said}, but the note says: ${quoteText(sentence)}`
        : `- ${said}`
    }),
    '</findings>',
  ].join('\n')
