import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeNoteChecker } from '../../packages/server/dist/engines/checker/note-checker.js'
import { planBudget } from '../../packages/server/dist/engines/writer/prose/token-budget.js'
import { openSession } from '../../packages/server/dist/engines/writer/prose/gather-material.js'
import { verifySentences } from '../../packages/server/dist/engines/writer/prose/verify-sentences.js'
import { drawFalse } from './draw-false.js'
import { RecordedModel } from './recorded-model.js'
import { toTranscript } from './read-sets.js'

const recorded = (id) => fileURLToPath(new URL(`recorded/false/${id}.json`, import.meta.url))
export const hasRecorded = (folder) =>
  drawFalse(folder).every(({ session }) => existsSync(recorded(session.id)))

/** Every drawn sentence with its truth and with what the exact checks and the recorded verification make of it. */
export async function* verifyFalse(folder, pending = null) {
  const checker = makeNoteChecker()
  try {
    for (const { session, sentences } of drawFalse(folder)) {
      const model = new RecordedModel(
        recorded(session.id),
        pending === null ? null : join(pending, session.id),
      )
      const transcript = toTranscript(session.turns)
      const reading = { figures: '', findings: [], questionOf: {}, version: 'none' }
      const drafts = sentences.map(({ text, items }) => ({ text, transcriptItems: items }))
      const section = { key: 'all', layout: /** @type {const} */ ('paragraph'), sentences: drafts }
      const [exact] = (await checker.checkExactly({ sections: [section], transcript, reading })) ?? []
      const parts = { model, budget: planBudget(model.contextTokens), checker }
      const { signal } = new AbortController()
      const talk = await openSession(parts, { transcript, reading }, 0, signal)
      // All of them are asked about: what verification catches alone is to be seen.
      const judged = await verifySentences(
        parts,
        talk,
        drafts,
        drafts.map(() => null),
        signal,
      )
      for (const [index, sentence] of sentences.entries()) {
        yield {
          ...sentence,
          isCaughtExactly: exact[index] !== null,
          isCaughtByModel: judged[index].judgement === 'refused',
          isStale: model.stale.length > 0,
        }
      }
    }
  } finally {
    await checker.close()
  }
}
