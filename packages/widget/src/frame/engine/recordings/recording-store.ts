import type { NewRecording } from '../engine.js'
import { settled, type Store } from '../open-store.js'
import type { Sealed, Vault } from './vault.js'

/** A recording on this device. Who was recorded is sealed; what is not tells ids, sizes and times. */
export interface RecordingRow {
  recordingId: string
  clinicianId: string
  startedAtMs: number
  /** A file that is being copied is of no use until it is whole. */
  source: 'microphone' | 'file'
  details: Sealed
  /** Ended by the clinician: what is left to do needs nobody. */
  isEnded: boolean
  sessionId: string | null
  segments: SegmentRow[]
  durationMs: number
}

/** One run of one recorder, with a header of its own: one upload. A crash or another microphone begins the next. */
interface SegmentRow {
  uploadId: string
  mimeType: string
  bytes: number
  /** How many of them the service has on its disk. */
  sentBytes: number
  /** Nothing is added any more. */
  isClosed: boolean
  /** The service knows that it is whole. */
  isSent: boolean
}

export type RecordingDetails = Omit<NewRecording, 'deviceId'>

interface SliceRow {
  recordingId: string
  segment: number
  /** Offset of its first byte in the segment. */
  start: number
  bytes: number
  sealed: Sealed
}

export interface RecordingStore {
  create(vault: Vault, details: RecordingDetails, source: RecordingRow['source']): Promise<RecordingRow>
  find(recordingId: string): Promise<RecordingRow | undefined>
  list(clinicianId: string): Promise<RecordingRow[]>
  readDetails(vault: Vault, row: RecordingRow): Promise<RecordingDetails>
  change(recordingId: string, change: (row: RecordingRow) => void): Promise<RecordingRow | undefined>
  /** Closes the segments before it; gives its index. */
  addSegment(recordingId: string, mimeType: string): Promise<number>
  /** Nothing is added any more; what is left needs nobody. */
  end(recordingId: string): Promise<void>
  addSlice(vault: Vault, slice: NewSlice): Promise<RecordingRow>
  /** Bytes of the segment from this offset on, some `bytesMax` of them. */
  readBytes(
    vault: Vault,
    place: { recordingId: string; segment: number },
    from: number,
    bytesMax: number,
  ): Promise<Blob>
  remove(recordingId: string): Promise<void>
  /** Makes room: what the service has need not be here as well. */
  dropSent(): Promise<void>
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
  async function changeIn(
    tx: IDBTransaction,
    recordingId: string,
    change: (row: RecordingRow) => void,
  ): Promise<RecordingRow | undefined> {
    const table = tx.objectStore('recordings')
    const row = (await settled(table.get(recordingId))) as RecordingRow | undefined
    if (row === undefined) return undefined
    change(row)
    table.put(row)
    return row
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
      await store.write(['recordings'], async (tx) => {
        tx.objectStore('recordings').put(row)
      })
      return row
    },
    find: (recordingId) => store.find('recordings', recordingId),
    async list(clinicianId) {
      const rows = await store.list<RecordingRow>('recordings')
      return rows
        .filter((row) => row.clinicianId === clinicianId)
        .toSorted((a, b) => a.startedAtMs - b.startedAtMs)
    },
    async readDetails(vault, { recordingId, details }) {
      const plain = await vault.unseal(recordingId, details)
      return JSON.parse(new TextDecoder().decode(plain)) as RecordingDetails
    },
    change: (recordingId, change) => store.write(['recordings'], (tx) => changeIn(tx, recordingId, change)),
    async addSegment(recordingId, mimeType) {
      const uploadId = crypto.randomUUID()
      const row = await store.write(['recordings'], (tx) =>
        changeIn(tx, recordingId, ({ segments }) => {
          for (const before of segments) before.isClosed = true
          segments.push({ uploadId, mimeType, bytes: 0, sentBytes: 0, isClosed: false, isSent: false })
        }),
      )
      return (row?.segments.length ?? 0) - 1
    },
    async end(recordingId) {
      await store.write(['recordings'], (tx) =>
        changeIn(tx, recordingId, (row) => {
          row.isEnded = true
          for (const segment of row.segments) segment.isClosed = true
        }),
      )
    },
    addSlice: (vault, slice) => addSlice(store, changeIn, vault, slice),
    readBytes: (vault, place, from, bytesMax) => readBytes(store, vault, place, from, bytesMax),
    remove: (recordingId) =>
      store.write(['recordings', 'slices'], async (tx) => {
        tx.objectStore('recordings').delete(recordingId)
        tx.objectStore('slices').delete(rangeOf(recordingId))
      }),
    dropSent: () => dropSent(store),
  }
}

/** Arrays sort after numbers: all keys that begin so. */
const rangeOf = (...prefix: (string | number)[]): IDBKeyRange => IDBKeyRange.bound(prefix, [...prefix, []])

type ChangeIn = (
  tx: IDBTransaction,
  recordingId: string,
  change: (row: RecordingRow) => void,
) => Promise<RecordingRow | undefined>

async function addSlice(
  store: Store,
  changeIn: ChangeIn,
  vault: Vault,
  { recordingId, segment, plain, durationMs }: NewSlice,
): Promise<RecordingRow> {
  const before = await store.find<RecordingRow>('recordings', recordingId)
  const start = before?.segments[segment]?.bytes
  if (start === undefined) throw new Error('the recording is gone')
  // Sealed outside the transaction, which would end while it waits. One writer: the tab that holds the lock.
  const sealed = await vault.seal(placeOf(recordingId, segment, start), plain)
  const slice: SliceRow = { recordingId, segment, start, bytes: plain.byteLength, sealed }
  const row = await store.write(['recordings', 'slices'], async (tx) => {
    tx.objectStore('slices').add(slice)
    return changeIn(tx, recordingId, (changed) => {
      const grown = changed.segments[segment]
      if (grown !== undefined) grown.bytes = start + plain.byteLength
      changed.durationMs += durationMs
    })
  })
  if (row === undefined) throw new Error('the recording is gone')
  return row
}

async function readBytes(
  store: Store,
  vault: Vault,
  { recordingId, segment }: { recordingId: string; segment: number },
  from: number,
  bytesMax: number,
): Promise<Blob> {
  const rows = await store.read(['slices'], (tx) =>
    collectSlices(tx.objectStore('slices'), { recordingId, segment }, from, bytesMax),
  )
  const pieces = await Promise.all(
    rows.map(async ({ start, sealed }) => {
      const plain = await vault.unseal(placeOf(recordingId, segment, start), sealed)
      return start < from ? plain.slice(from - start) : plain
    }),
  )
  return new Blob(pieces)
}

/** From the slice that holds the byte at `from`: the service may have kept a part of one. */
async function collectSlices(
  table: IDBObjectStore,
  { recordingId, segment }: { recordingId: string; segment: number },
  from: number,
  bytesMax: number,
): Promise<SliceRow[]> {
  const upTo = IDBKeyRange.bound([recordingId, segment], [recordingId, segment, from])
  const holding = await settled(table.openKeyCursor(upTo, 'prev'))
  const first = holding === null ? [recordingId, segment] : (holding.key as IDBValidKey[])
  const range = IDBKeyRange.bound(first, [recordingId, segment, []])
  return new Promise((resolve, reject) => {
    const rows: SliceRow[] = []
    let gathered = 0
    const request = table.openCursor(range)
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
}

async function dropSent(store: Store): Promise<void> {
  const recordings = await store.list<RecordingRow>('recordings')
  await store.write(['slices'], async (tx) => {
    for (const { recordingId, segments } of recordings) {
      for (const [segment, { sentBytes }] of segments.entries()) {
        await dropBefore(tx.objectStore('slices'), recordingId, segment, sentBytes)
      }
    }
  })
}

/** The slice in which `sentBytes` falls stays. */
async function dropBefore(
  table: IDBObjectStore,
  recordingId: string,
  segment: number,
  sentBytes: number,
): Promise<void> {
  const upTo = IDBKeyRange.bound([recordingId, segment], [recordingId, segment, sentBytes])
  const last = await settled(table.openKeyCursor(upTo, 'prev'))
  if (last === null) return
  table.delete(IDBKeyRange.bound([recordingId, segment], last.key, false, true))
}
