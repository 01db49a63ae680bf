import type { NoteTemplate } from '@casenote/contract'
import { EngineFault } from '../../engine-fault.js'
import type { LedgerEntry } from '../../ledger/ledger.js'
import { listKeys } from '../templates/note-template.js'
import { toNoteSections } from '../to-note-sections.js'
import type { DraftSection, DraftSentence, JudgedSection, JudgedSentence } from '../writer-engine.js'
import { Repair, repairsMax } from './answer-schemas.js'
import { askForJson } from './ask-for-json.js'
import { repairTask, wordRefusal } from './prompts.js'
import { quoteParts, requireAnswer, toTask, type ProseParts, type Session } from './prose-parts.js'
import { quoteText } from './quote-data.js'
import { readSentence } from './read-draft.js'
import { estimateTokens } from './token-budget.js'

/** A sentence that may change: it was refused, or (then with the words) it says otherwise than what was found. */
interface FaultySentence {
  key: string
  sentence: JudgedSentence
  saidOtherwise: string | null
}

/** What is to be mended: the sentences that may change, with their sections, and what was said and is not stated. */
export interface Damage {
  faulty: readonly FaultySentence[]
  missing: readonly LedgerEntry[]
}

/** Nobody changes what a clinician stated or what an edit did not touch; what is neither refused nor contradicted by a finding stays as it is. */
export const listFaulty = (
  sections: readonly JudgedSection[],
  missing: readonly LedgerEntry[],
): FaultySentence[] => {
  const all = sections.flatMap(({ key, sentences }) =>
    sentences.filter(({ isKept }) => isKept !== true).map((sentence) => ({ key, sentence })),
  )
  const otherwise = new Map(
    missing.flatMap(({ state, sentence, finding }) =>
      state === 'contradicted' && sentence !== null ? [[sentence, finding.words] as const] : [],
    ),
  )
  return [
    ...all.flatMap((one) => (one.sentence.judgement === 'refused' ? [{ ...one, saidOtherwise: null }] : [])),
    ...all.flatMap((one) => {
      const { judgement, text } = one.sentence
      const words = otherwise.get(text)
      return judgement === 'refused' || judgement === 'clinicians_words' || words === undefined
        ? []
        : [{ ...one, saidOtherwise: words }]
    }),
  ]
}

/** New sentences by the faulty ones they replace (null: nothing is left to say), and further ones by section. */
export interface Mending {
  changes: ReadonlyMap<JudgedSentence, DraftSentence | null>
  additions: readonly { key: string; sentence: DraftSentence }[]
}

/**
 * One question for everything: rounds are counted, and this is the only one (see write-note.ts). Null: no answer that can
 * be used. The note is there, and what is wrong in it is settled without the model.
 */
export async function askForRepair(
  { model, budget, checker }: ProseParts,
  session: Session,
  template: NoteTemplate,
  sections: readonly JudgedSection[],
  damage: Damage,
  signal: AbortSignal,
): Promise<Mending | null> {
  const faulty = damage.faulty.slice(0, repairsMax)
  const missing = dropRepeated(damage.missing).slice(0, repairsMax)
  const keys = listKeys(template)
  const data = [
    requireAnswer(await checker.quote(toNoteSections(template, sections))),
    quoteFaulty(faulty),
    quoteMissing(missing),
  ].join('\n\n')
  const hasRefused = faulty.some(({ sentence }) => sentence.judgement === 'refused')
  const rules = repairTask(template, keys, { hasRefused })
  const cited = [
    ...faulty.flatMap(({ sentence }) => [...sentence.transcriptItems, ...(sentence.fault?.items ?? [])]),
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
    return await askForJson(model, task, (answer) => ({ value: readRepair(answer, faulty) }), signal)
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

function readRepair(answer: Repair, faulty: Damage['faulty']): Mending {
  const changes = new Map<JudgedSentence, DraftSentence | null>()
  for (const { n, text, items } of answer.changes) {
    const sentence = faulty[n - 1]?.sentence
    // Only its words are forbidden: it may be worded otherwise, and is not left out.
    if (sentence === undefined || (text === null && sentence.reason === 'must_not')) continue
    changes.set(sentence, text === null ? null : (readSentence({ text, items })[0] ?? null))
  }
  for (const { n, items } of answer.upheld ?? []) {
    const sentence = faulty[n - 1]?.sentence
    // What was not refused needs nobody to uphold it, and what was changed too is judged as it is now.
    if (sentence?.judgement !== 'refused' || changes.has(sentence)) continue
    changes.set(sentence, uphold(sentence, items))
  }
  return {
    changes,
    additions: answer.additions.flatMap(({ section, text, items }) =>
      readSentence({ text, items }).map((sentence) => ({ key: section, sentence })),
    ),
  }
}

/** The same words, resting on the items that the model names for them: exact checks and verification look at these. */
const uphold = ({ text, startsParagraph }: JudgedSentence, items: readonly number[]): DraftSentence => ({
  text,
  transcriptItems: [...new Set(items)].toSorted((a, b) => a - b),
  isUpheld: true,
  ...(startsParagraph === undefined ? {} : { startsParagraph }),
})

/** Only what is faulty is replaced; what is added stands at the end of its section, unless it stands there already. */
export const mend = (sections: readonly JudgedSection[], { changes, additions }: Mending): DraftSection[] =>
  sections.map((section) => ({
    ...section,
    sentences: [
      ...section.sentences.flatMap((sentence): DraftSentence[] => {
        const change = changes.get(sentence)
        return change === undefined ? [sentence] : change === null ? [] : [change]
      }),
      ...additions.flatMap(({ key, sentence }) =>
        key === section.key && !section.sentences.some(({ text }) => text === sentence.text)
          ? [sentence]
          : [],
      ),
    ],
  }))

/** A sentence that nobody had refused, or that has forbidden words and no other fault, is not lost for one that is refused. */
export const keepUnrefused = (judged: readonly JudgedSection[], { changes }: Mending): JudgedSection[] => {
  const before = new Map(
    [...changes].flatMap(([old, change]) =>
      change === null || (old.judgement === 'refused' && old.reason !== 'must_not')
        ? []
        : [[change.text, old] as const],
    ),
  )
  return judged.map((section) => ({
    ...section,
    sentences: section.sentences.map((sentence) =>
      sentence.judgement === 'refused' ? (before.get(sentence.text) ?? sentence) : sentence,
    ),
  }))
}

const quoteFaulty = (faulty: Damage['faulty']): string =>
  [
    '<sentences>',
    ...faulty.map(({ key, sentence: { text, transcriptItems, reason, fault }, saidOtherwise }, index) => {
      const shown = `${quoteText(text)} {items: ${transcriptItems.join(', ')}}`
      if (saidOtherwise !== null)
        return `${index + 1}. section ${key}, not refused: ${shown} A finding says otherwise: "${quoteText(saidOtherwise)}"`
      const why = reason ?? 'not_said'
      return `${index + 1}. section ${key}, refused (${why}): ${shown} ${wordFault(why, fault)}`
    }),
    '</sentences>',
  ].join('\n')

const wordFault = (reason: NonNullable<JudgedSentence['reason']>, fault: JudgedSentence['fault']): string => {
  const part = fault?.part ?? null
  const items = fault?.items ?? []
  return [
    `Fault: ${wordRefusal(reason)}`,
    part === null ? '' : `: "${quoteText(part)}"`,
    items.length === 0 ? '' : `; see items ${items.join(', ')}`,
  ].join('')
}

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
