import type { ExactVerdict } from '../../checker/checker-messages.js'
import { EngineFault } from '../../engine-fault.js'
import type { DraftSentence, JudgedSentence } from '../writer-engine.js'
import { Verdicts } from './answer-schemas.js'
import { askForJson } from './ask-for-json.js'
import { verifyTask } from './prompts.js'
import { openParts, quoteParts, toTask, type ProseParts, type Session } from './prose-parts.js'
import { quoteText } from './quote-data.js'
import { estimateTokens } from './token-budget.js'

/** So many in one question: with more, models begin to pass them over. */
export const batchMax = 40

/** A verdict in JSON. */
const tokensPerVerdict = 40
/** A model that cannot but think aloud does so within this; what it is cut off in is no verdict. */
const answerTokensMin = 2_000

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
  // By a session in which nothing was said nobody can bear anything out.
  if (session.transcript.length === 0) return judged
  for (const batch of planBatches(parts, session, judged, open)) {
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
  // No exact check looked at it, either: nobody vouches for it.
  if (session.reading.language !== undefined)
    for (const index of open) {
      const sentence = judged[index]
      if (sentence?.judgement === 'exact_checks_only')
        judged[index] = { ...sentence, judgement: 'refused', reason: 'not_said' }
    }
  return judged
}

/** Batches of one call each: of a transcript that does not fit, as many sentences as their parts of it have room for, so that none is judged without its own. */
function planBatches(
  { budget }: ProseParts,
  session: Session,
  sentences: readonly JudgedSentence[],
  open: readonly number[],
): number[][] {
  const batches: number[][] = []
  let takes = (_index: number): boolean => false
  const openBatch = (index: number): void => {
    const room = openParts(session, budget, estimateTokens(verifyTask))
    const take = (one: number): boolean => {
      const { text = '', transcriptItems = [] } = sentences[one] ?? {}
      const tokens = estimateTokens(text) + tokensPerSentence + 2 * transcriptItems.length
      return session.isWhole || room.take(transcriptItems, tokens)
    }
    batches.push([index])
    // One that has no room by itself is judged by what fits, alone.
    takes = take(index) ? take : () => false
  }
  for (const index of open) {
    const batch = batches.at(-1)
    if (batch !== undefined && batch.length < batchMax && takes(index)) batch.push(index)
    else openBatch(index)
  }
  return batches
}

/** Its number, the braces and the tags. */
const tokensPerSentence = 12

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
  const answerTokens = Math.max(answerTokensMin, tokensPerVerdict * sentences.length + 200)
  const outputTokensMax = Math.min(budget.outputTokensMax, answerTokens)
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
