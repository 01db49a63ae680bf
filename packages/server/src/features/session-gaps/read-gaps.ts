import type { SessionGap } from '@casenote/contract'
import { Silence, type PlacedStretch, type Stretch } from '../../engines/speech/audio/silence-stretches.js'
import type { Database } from '../../kernel/db/database.js'
import type { GapId, SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectGaps, selectUncut, type GapRow, type UncutRow } from './session-gaps.sql.js'

/** In the order of the recording. */
export async function listGaps(
  db: Database,
  tenant: TenantScope,
  sessionId: SessionId,
): Promise<SessionGap[]> {
  const rows = await db.read(tenant, selectGaps(tenant, sessionId))
  return rows.map(toGap)
}

/** Left out where there are none: most sessions have none. */
export async function withGaps<Told extends { sessionId: SessionId }>(
  db: Database,
  tenant: TenantScope,
  told: Told,
): Promise<Told & { gaps?: SessionGap[] }> {
  const gaps = await listGaps(db, tenant, told.sessionId)
  return gaps.length === 0 ? told : { ...told, gaps }
}

export const listUncut = async (
  db: Database,
  tenant: TenantScope,
  sessionId: SessionId,
): Promise<UncutRow[]> => await db.read(tenant, selectUncut(tenant, sessionId))

/** Stretches that were struck while it was recorded have none: a legal hold may keep their segments beside the recording. */
export const findStruckBlob = (uncut: readonly UncutRow[]): string | null =>
  uncut.find(({ blobId }) => blobId !== null)?.blobId ?? null

interface UncutStretch extends PlacedStretch {
  gapId: GapId
}

/** What a recording is heard without. */
export const toSilence = (uncut: readonly UncutRow[]): Silence<UncutStretch> =>
  new Silence(uncut.map(toPlaced))

const toPlaced = (row: UncutRow): UncutStretch => ({
  gapId: row.gapId,
  ...toStretch(row),
  ...(row.fromSegment === null || row.toSegment === null
    ? {}
    : {
        from: { segment: row.fromSegment, seconds: (row.fromMs ?? 0) / 1_000 },
        to: { segment: row.toSegment, seconds: (row.toMs ?? 0) / 1_000 },
      }),
})

const toStretch = ({ startMs, endMs }: Pick<UncutRow, 'startMs' | 'endMs'>): Stretch => ({
  start: startMs / 1_000,
  end: endMs / 1_000,
})

const toGap = (row: GapRow): SessionGap => ({
  id: row.gapId,
  kind: row.kind,
  ...toStretch(row),
  seconds: row.lastedMs / 1_000,
  by: { kind: row.byKind, id: row.byId },
  at: row.beganAt.toISOString(),
})
