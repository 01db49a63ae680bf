import type { Background } from '../../background.js'
import type { DraftSection, DraftSentence, JudgedSection, JudgedSentence } from '../writer-engine.js'
import { requireAnswer, type ProseParts, type Session } from './prose-parts.js'
import { verifySentences } from './verify-sentences.js'

/**
 * Exact checks, then the model's verification. A sentence that was judged before and is the same keeps its judgement: a refused
 * one is asked about again only where a repair upholds it, or a second answer would undo the first.
 */
export async function judgeSections(
  parts: ProseParts,
  session: Session,
  sections: readonly DraftSection[],
  known: readonly JudgedSection[],
  signal: AbortSignal,
): Promise<JudgedSection[]> {
  const kept = new Map(known.flatMap(({ sentences }) => sentences.map((one) => [toKey(one), one] as const)))
  const keptOf = (sentence: DraftSentence): JudgedSentence | null => {
    const before = kept.get(toKey(sentence))
    if (before === undefined) return null
    return before.judgement === 'refused' && sentence.isUpheld === true ? null : before
  }
  const { transcript, reading } = session
  const exact = requireAnswer(
    await parts.checker.checkExactly({ sections, transcript, reading, ...backgroundOf(session) }),
  )
  const fresh = sections.flatMap(({ sentences }, section) =>
    sentences.flatMap((sentence, place) =>
      keptOf(sentence) === null ? [{ sentence, exact: exact[section]?.[place] ?? null }] : [],
    ),
  )
  const judged = await verifySentences(
    parts,
    session,
    fresh.map(({ sentence }) => sentence),
    fresh.map((one) => one.exact),
    signal,
  )
  const next = judged.values()
  return sections.map((section) => ({
    ...section,
    sentences: section.sentences.map((sentence): JudgedSentence => {
      const before = keptOf(sentence)
      if (before !== null) return { ...before, ...sentence }
      const found = next.next()
      return found.done === true ? { ...sentence, judgement: 'exact_checks_only', reason: null } : found.value
    }),
  }))
}

/** Left out where there is none. */
export const backgroundOf = ({ background }: { background?: Background }): { background?: Background } =>
  background === undefined ? {} : { background }

const toKey = ({ text, transcriptItems }: DraftSentence): string => `${transcriptItems.join(',')} ${text}`

/** Before anybody has judged it. */
export const asUnjudged = (section: DraftSection): JudgedSection => ({
  ...section,
  sentences: section.sentences.map((sentence) => ({
    ...sentence,
    judgement: 'exact_checks_only',
    reason: null,
  })),
})
