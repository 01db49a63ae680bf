import type { ExactVerdict } from '../../checker/note-checker.js'
import { EngineFault } from '../../engine-fault.js'
import type { DraftSentence, JudgedSentence } from '../writer-engine.js'
import { Verdicts } from './answer-schemas.js'
import { askForJson } from './ask-for-json.js'
import { verifyTask } from './prompts.js'
import { quoteParts, toTask, type ProseParts, type Session } from './prose-parts.js'
import { quoteText } from './quote-data.js'
import { estimateTokens } from './token-budget.js'

/** So many in one question: with more, models begin to pass them over. */
const batchMax = 40

/** A verdict in JSON. */
const tokensPerVerdict = 40

/**
 * A pass of its own: the model sees the transcript and the sentences, and nothing of how they came to be. `exact` are the
 * verdicts of the exact checks, which no meaning can replace; those sentences are not asked about.
 */
export async function verifySentences(
  parts: ProseParts,
  session: Session,
  sentences: readonly DraftSentence[],
  exact: readonly ExactVerdict[],
  signal: AbortSignal,
): Promise<JudgedSentence[]> {
  const judged: JudgedSentence[] = sentences.map((given, index) => {
    const sentence = takeDraft(given)
    const found = exact[index] ?? null
    if (found === null) return { ...sentence, judgement: 'exact_checks_only', reason: null }
    const { reason, part } = found
    return { ...sentence, judgement: 'refused', reason, fault: { part, items: [] } }
  })
  const open = judged.flatMap(({ judgement }, index) => (judgement === 'refused' ? [] : [index]))
  for (let at = 0; at < open.length; at += batchMax) {
    const batch = open.slice(at, at + batchMax)
    const verdicts = await askForVerdicts(
      parts,
      session,
      batch.flatMap((index) => judged[index] ?? []),
      signal,
    )
    for (const [place, verdict] of verdicts) {
      const index = batch[place - 1]
      const sentence = index === undefined ? undefined : judged[index]
      if (index === undefined || sentence === undefined) continue
      judged[index] = verdict.isBorneOut
        ? { ...sentence, judgement: 'verified', reason: null }
        : {
            ...sentence,
            judgement: 'refused',
            reason: verdict.reason,
            fault: { part: null, items: verdict.items },
          }
    }
  }
  return judged
}

/** Without what an earlier judging said of it. */
const takeDraft = ({ text, transcriptItems, startsParagraph }: DraftSentence): DraftSentence =>
  startsParagraph === undefined ? { text, transcriptItems } : { text, transcriptItems, startsParagraph }

interface Verdict {
  isBorneOut: boolean
  reason: JudgedSentence['reason']
  items: readonly number[]
}

/** By number, from 1. A sentence that the model passes over twice has no verdict: nobody vouches for it but the exact checks. */
async function askForVerdicts(
  { model, budget }: ProseParts,
  session: Session,
  sentences: readonly DraftSentence[],
  signal: AbortSignal,
): Promise<Map<number, Verdict>> {
  const data = quoteSentences(sentences)
  const cited = sentences.flatMap(({ transcriptItems }) => transcriptItems)
  const material = session.isWhole
    ? session.material
    : quoteParts(session, cited, budget, estimateTokens(data + verifyTask))
  const outputTokensMax = Math.min(budget.outputTokensMax, tokensPerVerdict * sentences.length + 200)
  const schema = Verdicts(session.transcript.length, sentences.length)
  const task = toTask('verification', { material, data, rules: verifyTask }, { schema, outputTokensMax })
  let best = new Map<number, Verdict>()
  try {
    await askForJson(
      model,
      task,
      ({ verdicts }) => {
        const given = readVerdicts(verdicts)
        if (given.size > best.size) best = given
        return best.size === sentences.length
          ? { value: null }
          : { problem: 'a sentence has no verdict; give one for every number' }
      },
      signal,
    )
  } catch (error) {
    // The note is there: better shown as checked by rules alone than lost for want of a judge.
    if (!(error instanceof EngineFault) || error.kind !== 'malformed') throw error
  }
  return best
}

const readVerdicts = (verdicts: Verdicts['verdicts']): Map<number, Verdict> =>
  new Map(
    verdicts.map(({ n, verdict, reason, items }) => [
      n,
      {
        isBorneOut: verdict === 'borne_out',
        reason: verdict === 'borne_out' ? null : (reason ?? 'not_said'),
        items,
      },
    ]),
  )

const quoteSentences = (sentences: readonly DraftSentence[]): string =>
  [
    '<sentences>',
    ...sentences.map(
      ({ text, transcriptItems }, index) =>
        `${index + 1}. ${quoteText(text)} {items: ${transcriptItems.join(', ')}}`,
    ),
    '</sentences>',
  ].join('\n')
