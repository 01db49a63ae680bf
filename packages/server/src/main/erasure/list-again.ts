import { listEndedErasures } from '../../features/erasure/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { ErasureId } from '../../kernel/ids.js'
import type { ClientKeySource } from '../../kernel/secrets/client-key-source.js'

/** Rows of one look. */
const endedMost = 1_000

/**
 * After an older copy of the key store was brought back: what was erased since comes on its list again, what is on it and was refused
 * or carried out since is told again, and the keys that the copy still holds are destroyed again. Gives how many there were. What an
 * earlier version carried out, whose entries do not say so, says so from here on.
 */
export async function listAgain(db: Database, clientKeys: ClientKeySource): Promise<number> {
  const listed = new Set(clientKeys.erasures.map(({ erasureId }) => erasureId))
  const told = new Set(
    clientKeys.erasures.flatMap(({ erasureId, isDone }) => (isDone === true ? [erasureId] : [])),
  )
  const refused = new Set(
    clientKeys.erasures.flatMap(({ erasureId, isRefused }) => (isRefused === true ? [erasureId] : [])),
  )
  let done = 0
  for (let after = 0; ;) {
    const rows = await db.throughDoor(listEndedErasures(after, endedMost))
    const last = rows.at(-1)
    if (last === undefined) return done
    const untold: ErasureId[] = []
    for (const { seq: _seq, askedId, askedAt, isRefused, ...erasure } of rows) {
      const { erasureId, subjectId, tenantId, clientId, kind } = erasure
      if (isRefused) {
        if (!listed.has(erasureId) || refused.has(erasureId)) continue
        await clientKeys.refuse(db, erasureId)
        done += 1
        continue
      }
      const hasKey = kind === 'client' && clientKeys.find(tenantId, clientId) !== null
      if (kind !== 'client' && !told.has(erasureId)) untold.push(erasureId)
      if (listed.has(erasureId) && !hasKey) continue
      await clientKeys.list(db, {
        ...erasure,
        ...(askedId === null || askedId === subjectId ? {} : { askedId }),
        askedAt: askedAt.toISOString(),
      })
      if (hasKey) await clientKeys.destroy(db, tenantId, clientId)
      done += 1
    }
    if (untold.length > 0) await clientKeys.finish(db, untold)
    after = last.seq
  }
}

/** Looks again whenever the key store is another one than at the last look: at the start, and when somebody has put a copy there. */
export function makeListAgain(db: Database, clientKeys: ClientKeySource): () => Promise<void> {
  let seen: ClientKeySource['erasures'] | null = null
  return async () => {
    if (seen === clientKeys.erasures) return
    await listAgain(db, clientKeys)
    seen = clientKeys.erasures
  }
}
