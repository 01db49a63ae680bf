import { countWords } from '../text/tokenize-words.js'
import type { WritingRequest } from '../writer-engine.js'
import { checkEvidence } from '../check-evidence.js'
import { listStatements } from './list-statements.js'
import { setSentences } from './set/set-sentences.js'
import type { Statement, StatementKind } from './statement/statement.js'

/** What a reader has time for between two sessions. */
const sentencesMax = 6
const wordsMax = 120

/**
 * What a summary is made of, in the order in which room is given: danger and drugs first, for what is left out of them
 * misleads; then why the client came, what was done about it, and what comes next; what is left over only if it weighs
 * something.
 */
const parts: readonly { kinds: readonly StatementKind[]; count: number; scoreMin?: number }[] = [
  { kinds: ['risk'], count: 3 },
  { kinds: ['order'], count: 1 },
  { kinds: ['report', 'intent', 'goal'], count: 2 },
  { kinds: ['intervention'], count: 1 },
  { kinds: ['plan'], count: 1 },
  { kinds: ['response', 'assessment', 'observation', 'measure'], count: 1 },
  { kinds: ['report', 'intent', 'goal', 'plan', 'response', 'order', 'risk'], count: 6, scoreMin: 4 },
]

/** A few sentences of what was said, in the order of the session, in the third person. Nothing is concluded from it. */
export async function summarize({ transcript }: WritingRequest, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted()
  // A report about nothing that has a name in a clinic is small talk here, whatever it is in a note.
  const statements = (await listStatements(transcript)).filter(
    ({ kind, topics }) => kind !== 'report' || topics.length > 0,
  )
  const chosen = choose(statements, (statement) =>
    setSentences([statement]).every((sentence) => checkEvidence(sentence, transcript).isSupported),
  )
  if (chosen.length === 0) return 'Nothing of clinical weight was said in this session.'
  return write(chosen)
}

const write = (chosen: readonly Statement[]): string =>
  setSentences(chosen.toSorted((a, b) => a.order - b.order))
    .map(({ text }) => text)
    .join(' ')

/** Those behind them would be too light to stand in so short a text. */
const candidatesMax = 20

/** As many as fit: one more is taken only if the text stays within its bounds. */
function choose(
  statements: readonly Statement[],
  isSupported: (statement: Statement) => boolean,
): Statement[] {
  const chosen: Statement[] = []
  for (const { kinds, count, scoreMin = 0 } of parts) {
    const candidates = statements
      .filter((statement) => kinds.includes(statement.kind) && statement.score >= scoreMin)
      .filter((statement) => !chosen.includes(statement))
      .toSorted((a, b) => weigh(b) - weigh(a))
      .slice(0, candidatesMax)
    let taken = 0
    for (const statement of candidates) {
      if (taken === count) break
      if (!fits([...chosen, statement]) || !isSupported(statement)) continue
      chosen.push(statement)
      taken += 1
    }
  }
  return chosen
}

/** What would mislead if it were left out comes first; of risk, what was endorsed or left open before what was denied. */
const weigh = ({ isMandatory, kind, text, score }: Statement): number =>
  score + (isMandatory ? 100 : 0) + (kind === 'risk' && !/\bdenie[ds]\b/i.test(text) ? 50 : 0)

const fits = (chosen: readonly Statement[]): boolean => {
  const sentences = setSentences(chosen.toSorted((a, b) => a.order - b.order))
  return (
    sentences.length <= sentencesMax &&
    sentences.reduce((sum, { text }) => sum + countWords(text), 0) <= wordsMax
  )
}
