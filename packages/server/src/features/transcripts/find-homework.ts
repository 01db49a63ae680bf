import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reading } from '../../engines/reader/reading.js'
import type { Database } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { findLastReadingText } from './keep-reading.js'

/** What was agreed on or proposed for the time after a session, in the order in which it was said; each once. */
export async function findHomework(
  db: Database,
  ring: TenantKeyRing,
  sessionId: SessionId,
  most: number,
): Promise<{ words: string; transcriptItems: number[] }[]> {
  const text = await findLastReadingText(db, ring, sessionId)
  if (text === null) return []
  // Hours of talk: opening and reading it are a turn each.
  await nextTurn()
  const { reading } = JSON.parse(text) as { reading: Reading }
  const found = new Map<string, { words: string; transcriptItems: number[] }>()
  for (const finding of reading.findings) {
    if (finding.kind !== 'decision' || finding.about !== 'homework' || finding.standing === 'declined')
      continue
    if (!found.has(finding.words))
      found.set(finding.words, { words: finding.words, transcriptItems: [...finding.items] })
  }
  return [...found.values()].slice(0, most)
}
