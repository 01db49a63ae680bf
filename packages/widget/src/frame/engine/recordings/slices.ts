import { settled, type Store } from '../open-store.js'
import type { RecordingRow } from './recording-row.js'
import type { Sealed } from './vault.js'

/** A second of a recording, or a megabyte of a file. */
export interface SliceRow extends SlicePlace {
  /** Offset of its first byte in the segment. */
  start: number
  bytes: number
  sealed: Sealed
}

export interface SlicePlace {
  recordingId: string
  segment: number
}

/** From the slice with the byte at `from`, some `bytesMax` of them: the service may have kept a part of one. */
export const readSlices = (
  store: Store,
  { recordingId, segment }: SlicePlace,
  from: number,
  bytesMax: number,
): Promise<SliceRow[]> =>
  store.read(['slices'], async (tx) => {
    const table = tx.objectStore('slices')
    const first = (await findSliceAt(table, recordingId, segment, from)) ?? [recordingId, segment]
    return new Promise((resolve, reject) => {
      const rows: SliceRow[] = []
      let gathered = 0
      const request = table.openCursor(IDBKeyRange.bound(first, [recordingId, segment, []]))
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')))
      request.addEventListener('success', () => {
        const cursor = request.result
        if (cursor === null || gathered >= bytesMax) return resolve(rows)
        const row = cursor.value as SliceRow
        if (row.start + row.bytes > from) {
          rows.push(row)
          gathered += row.bytes
        }
        cursor.continue()
      })
    })
  })

/**
 * Makes room: what the service has need not be here as well. The slice in which its bytes end stays. `renew` gives a row
 * as it would be if there had been room to write it.
 */
export async function dropSent(store: Store, renew: (row: RecordingRow) => RecordingRow): Promise<void> {
  const recordings = await store.list<RecordingRow>('recordings')
  await store.write(['slices'], async (tx) => {
    const table = tx.objectStore('slices')
    for (const row of recordings) {
      const { recordingId, segments } = renew(row)
      for (const [segment, { sentBytes }] of segments.entries()) {
        const last = await findSliceAt(table, recordingId, segment, sentBytes)
        if (last !== null) table.delete(IDBKeyRange.bound([recordingId, segment], last, false, true))
      }
    }
  })
}

/** The key of the last slice that starts at or before this byte. */
async function findSliceAt(
  table: IDBObjectStore,
  recordingId: string,
  segment: number,
  byte: number,
): Promise<IDBValidKey | null> {
  const upTo = IDBKeyRange.bound([recordingId, segment], [recordingId, segment, byte])
  return (await settled(table.openKeyCursor(upTo, 'prev')))?.key ?? null
}
