import type { SessionId } from '../../../kernel/ids.js'
import type { TenantKeyRing } from '../../../kernel/secrets/tenant-keys.js'
import { readPreferences, type NoteRow } from '../../progress-notes/index.js'
import type { RetryParts } from '../../sessions/index.js'
import { findLockedLines, isHeard } from '../../transcripts/index.js'
import { moveUploads } from '../recordings/uploads.sql.js'

/** What another session of the same hour takes over from one that has ended. */
export const retryPartsOf = (
  ring: TenantKeyRing,
  { sessionId, note, keepDays }: { sessionId: SessionId; note: NoteRow | null; keepDays: number },
): RetryParts => ({
  sessionId,
  preferences: note === null || note.sealedPreferences === null ? null : readPreferences(ring, note),
  keepDays,
  findLines: (tx) => findLockedLines(tx, ring, sessionId),
  isHeard: (tx, language) => isHeard(tx, { sessionId, language }),
  moveSegments: async (tx, from, to) => (await tx.run(moveUploads(tx.tenant, { from, to, keepDays }))).length,
})
