import type { NewRecording } from '../engine.js'
import { settled, type Store } from '../open-store.js'
import { closeGaps } from './gaps.js'
import type { RecordingRow } from './recording-row.js'
import { readSlices, type SliceRow } from './slices.js'
import { makeUnwritten } from './unwritten.js'
import type { Vault } from './vault.js'

export type RecordingDetails = Omit<NewRecording, 'deviceId'>

export interface RecordingStore {
  create(vault: Vault, details: RecordingDetails, source: RecordingRow['source']): Promise<RecordingRow>
  find(recordingId: string): Promise<RecordingRow | undefined>
  list(clinicianId: string): Promise<RecordingRow[]>
  readDetails(vault: Vault, row: RecordingRow): Promise<RecordingDetails>
  change(recordingId: string, change: (row: RecordingRow) => void): Promise<RecordingRow | undefined>
  /** Closes the segments before it; gives its index. */
  addSegment(recordingId: string, mimeType: string): Promise<number>
  /** Nothing is added any more; what is left needs nobody. */
  end(recordingId: string, isKept?: boolean): Promise<void>
  addSlice(vault: Vault, slice: NewSlice): Promise<RecordingRow>
  /** Bytes of the segment from this offset on, some `bytesMax` of them. */
  readBytes(
    vault: Vault,
    place: { recordingId: string; segment: number },
    from: number,
    bytesMax: number,
  ): Promise<Blob>
  remove(recordingId: string): Promise<void>
  /** The disk has no room for some of it, or of any: it is in this tab's memory alone, and sent from there. */
  isUnwritten(recordingId?: string): boolean
}

export interface NewSlice {
  recordingId: string
  segment: number
  plain: ArrayBuffer
  durationMs: number
}

const placeOf = (recordingId: string, segment: number, start: number): string =>
  `${recordingId}/${segment}/${start}`

export function makeRecordingStore(store: Store): RecordingStore {
  const unwritten = makeUnwritten(store)
  const find = async (recordingId: string): Promise<RecordingRow | undefined> =>
    unwritten.find(recordingId)?.row ?? (await store.find('recordings', recordingId))

  /** With a slice that belongs to the change, or without. */
  async function change(
    recordingId: string,
    apply: (row: RecordingRow) => void,
    slice?: SliceRow,
  ): Promise<RecordingRow | undefined> {
    if (unwritten.find(recordingId) === undefined) {
      try {
        return await store.write(['recordings', 'slices'], async (tx) => {
          if (slice !== undefined) tx.objectStore('slices').add(slice)
          const table = tx.objectStore('recordings')
          const row = (await settled(table.get(recordingId))) as RecordingRow | undefined
          if (row === undefined) return undefined
          apply(row)
          table.put(row)
          return row
        })
      } catch {
        // No room, mostly: what is there can still be read, and goes on in memory.
        const row = await store.find<RecordingRow>('recordings', recordingId)
        if (row === undefined) return undefined
        unwritten.begin(row)
      }
    }
    return unwritten.change(recordingId, apply, slice)
  }

  return {
    async create(vault, details, source) {
      const recordingId = crypto.randomUUID()
      const plain = new TextEncoder().encode(JSON.stringify(details))
      const row: RecordingRow = {
        recordingId,
        clinicianId: vault.clinicianId,
        startedAtMs: Date.now(),
        source,
        details: await vault.seal(recordingId, plain),
        isEnded: false,
        sessionId: null,
        segments: [],
        durationMs: 0,
      }
      await store.put('recordings', row)
      return row
    },
    find,
    async list(clinicianId) {
      const rows = await store.list<RecordingRow>('recordings')
      return rows
        .filter((row) => row.clinicianId === clinicianId)
        .map((row) => unwritten.find(row.recordingId)?.row ?? row)
        .toSorted((a, b) => a.startedAtMs - b.startedAtMs)
    },
    async readDetails(vault, { recordingId, details }) {
      const plain = await vault.unseal(recordingId, details)
      return JSON.parse(new TextDecoder().decode(plain)) as RecordingDetails
    },
    change: (recordingId, apply) => change(recordingId, apply),
    async addSegment(recordingId, mimeType) {
      const uploadId = crypto.randomUUID()
      const row = await change(recordingId, ({ segments }) => {
        for (const before of segments) before.isClosed = true
        segments.push({
          uploadId,
          mimeType,
          bytes: 0,
          durationMs: 0,
          sentBytes: 0,
          isClosed: false,
          isSent: false,
        })
      })
      return (row?.segments.length ?? 0) - 1
    },
    async end(recordingId, isKept) {
      await change(recordingId, (row) => {
        row.isEnded = true
        closeGaps(row)
        if (isKept) row.isKept = true
        for (const segment of row.segments) segment.isClosed = true
      })
    },
    async addSlice(vault, { recordingId, segment, plain, durationMs }) {
      const start = (await find(recordingId))?.segments[segment]?.bytes
      if (start === undefined) throw new Error('the recording is gone')
      // Sealed outside the transaction, which would end while it waits. One writer: the tab that has the lock.
      const sealed = await vault.seal(placeOf(recordingId, segment, start), plain)
      const slice = { recordingId, segment, start, bytes: plain.byteLength, sealed }
      const addTo = (changed: RecordingRow): void => {
        const grown = changed.segments[segment]
        if (grown !== undefined) {
          grown.bytes = start + plain.byteLength
          if (grown.durationMs !== undefined) grown.durationMs += durationMs
        }
        changed.durationMs += durationMs
      }
      const row = await change(recordingId, addTo, slice)
      if (row === undefined) throw new Error('the recording is gone')
      return row
    },
    async readBytes(vault, place, from, bytesMax) {
      // In this order: what is written meanwhile is then seen twice, and not at all otherwise.
      const inMemory = unwritten.listSlices(place)
      const onDisk = await readSlices(store, place, from, bytesMax)
      const pieces: Promise<ArrayBuffer>[] = []
      let end = from
      for (const { start, bytes, sealed } of [...onDisk, ...inMemory]) {
        if (start > end || start + bytes <= end) continue
        const skipped = end - start
        const plain = vault.unseal(placeOf(place.recordingId, place.segment, start), sealed)
        pieces.push(skipped === 0 ? plain : plain.then((whole) => whole.slice(skipped)))
        end = start + bytes
      }
      return new Blob(await Promise.all(pieces))
    },
    async remove(recordingId) {
      unwritten.forget(recordingId)
      await store.write(['recordings', 'slices'], async (tx) => {
        tx.objectStore('recordings').delete(recordingId)
        tx.objectStore('slices').delete(IDBKeyRange.bound([recordingId], [recordingId, []]))
      })
    },
    isUnwritten: unwritten.has,
  }
}
