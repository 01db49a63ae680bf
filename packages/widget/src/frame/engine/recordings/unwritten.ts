import type { Store } from '../open-store.js'
import type { RecordingRow } from './recording-row.js'
import { dropSent, type SlicePlace, type SliceRow } from './slices.js'

interface Unwritten {
  row: RecordingRow
  slices: Set<SliceRow>
  changes: number
  isBeingWritten: boolean
}

/**
 * What the disk has no room for: in memory, where it is sent from, some 14 MB an hour while the service is away. Written
 * as soon as there is room again; what the service has by then needs no other place.
 */
export function makeUnwritten(store: Store) {
  const unwritten = new Map<string, Unwritten>()

  async function write(one: Unwritten): Promise<void> {
    if (one.isBeingWritten) return
    one.isBeingWritten = true
    const { row, changes } = one
    const slices = [...one.slices]
    try {
      await dropSent(store, (other) => unwritten.get(other.recordingId)?.row ?? other)
      // Removed meanwhile: it must not come back.
      if (unwritten.get(row.recordingId) !== one) return
      await store.write(['recordings', 'slices'], async (tx) => {
        tx.objectStore('recordings').put(row)
        for (const slice of slices) tx.objectStore('slices').put(slice)
      })
      for (const slice of slices) one.slices.delete(slice)
      if (one.changes === changes) unwritten.delete(row.recordingId)
    } catch {
      // Still no room: the next change tries again.
    } finally {
      one.isBeingWritten = false
    }
  }

  return {
    find: (recordingId: string): Unwritten | undefined => unwritten.get(recordingId),
    has: (recordingId?: string): boolean =>
      recordingId === undefined ? unwritten.size > 0 : unwritten.has(recordingId),
    /** `row` as it is on the disk; where somebody was first, theirs is newer. */
    begin: (row: RecordingRow): void => {
      if (unwritten.has(row.recordingId)) return
      unwritten.set(row.recordingId, { row, slices: new Set(), changes: 0, isBeingWritten: false })
    },
    async change(
      recordingId: string,
      apply: (row: RecordingRow) => void,
      slice?: SliceRow,
    ): Promise<RecordingRow | undefined> {
      const one = unwritten.get(recordingId)
      if (one === undefined) return undefined
      apply(one.row)
      one.changes += 1
      if (slice !== undefined) one.slices.add(slice)
      for (const sent of one.slices) {
        if (sent.start + sent.bytes <= (one.row.segments[sent.segment]?.sentBytes ?? 0))
          one.slices.delete(sent)
      }
      await write(one)
      return one.row
    },
    listSlices: ({ recordingId, segment }: SlicePlace): SliceRow[] =>
      [...(unwritten.get(recordingId)?.slices ?? [])].filter((slice) => slice.segment === segment),
    forget: (recordingId: string): void => void unwritten.delete(recordingId),
  }
}
