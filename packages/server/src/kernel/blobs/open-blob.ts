import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BlobId } from '../ids.js'
import type { TenantScope } from '../tenant.js'
import { BlobMissing, BlobStoreFault } from './blob-store.js'
import { BlobStateFault, partPlace, partSizeBytesMax, type BlobParts } from './blob-parts.js'
import { selectBlob, selectPart, selectParts, type BlobPartRow, type BlobRow } from './blobs.sql.js'
import { listFurtherParts } from './list-parts.js'

export async function findBlob(
  parts: BlobParts,
  tenant: TenantScope,
  blobId: BlobId,
): Promise<(BlobRow & { parts: { partNumber: number; sizeBytes: number }[] }) | null> {
  const { blob, rows } = await readBlob(parts, tenant, blobId)
  if (blob === undefined) return null
  const listed = rows.map(({ partNumber, sizeBytes }) => ({ partNumber, sizeBytes }))
  return { ...blob, parts: listed }
}

async function readBlob(
  parts: BlobParts,
  tenant: TenantScope,
  blobId: BlobId,
): Promise<{ blob: BlobRow | undefined; rows: BlobPartRow[] }> {
  const [[blob], first] = await parts.db.read(tenant, selectBlob(tenant, blobId), selectParts(tenant, blobId))
  const rows = await listFurtherParts(parts, tenant, blobId, first)
  return { blob, rows }
}

/** One part of any blob that is not deleted, also of an open one. */
export async function readPart(
  parts: BlobParts,
  tenant: TenantScope,
  blobId: BlobId,
  partNumber: number,
): Promise<Buffer> {
  const [row] = await parts.db.read(tenant, selectPart(tenant, blobId, partNumber))
  if (row === undefined) throw new BlobStateFault(`the blob has no part ${partNumber}`)
  return unsealPart(parts, tenant, blobId, row)
}

/** A complete blob, to be read from anywhere and any number of times. The next part is fetched while one is read. */
export async function openManifest(
  parts: BlobParts,
  tenant: TenantScope,
  blobId: BlobId,
): Promise<{ sizeBytes: number; openAt: (fromByte: number) => Readable }> {
  const { blob, rows: manifest } = await readBlob(parts, tenant, blobId)
  if (blob?.status !== 'complete') throw new BlobStateFault('the blob is not complete')
  if (manifest.length !== blob.partCount) throw new BlobMissing(blobId)
  const openAt = (fromByte: number): Readable =>
    Readable.from(readManifest(parts, tenant, blobId, manifest, fromByte), {
      objectMode: false,
      highWaterMark: partSizeBytesMax,
    })
  return { sizeBytes: manifest.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), openAt }
}

/** The bytes of a complete blob from `fromByte` on. */
export const openBlob = async (
  parts: BlobParts,
  tenant: TenantScope,
  blobId: BlobId,
  fromByte = 0,
): Promise<Readable> => (await openManifest(parts, tenant, blobId)).openAt(fromByte)

async function* readManifest(
  parts: BlobParts,
  tenant: TenantScope,
  blobId: BlobId,
  manifest: readonly BlobPartRow[],
  fromByte: number,
): AsyncGenerator<Buffer> {
  let endByte = 0
  const wanted = manifest.filter(({ sizeBytes }) => {
    endByte += sizeBytes
    return endByte > fromByte
  })
  const wantedBytes = wanted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const fetchPart = (index: number): Promise<Buffer> | null => {
    const row = wanted[index]
    if (row === undefined) return null
    const bytes = unsealPart(parts, tenant, blobId, row)
    // Thrown when its turn comes; a reader that stops before then has no use for it.
    bytes.catch(() => {})
    return bytes
  }
  let next = fetchPart(0)
  for (let index = 0; next !== null; index += 1) {
    const bytes = await next
    next = fetchPart(index + 1)
    yield index === 0 ? bytes.subarray(fromByte - (endByte - wantedBytes)) : bytes
  }
}

async function unsealPart(
  { keys, store }: BlobParts,
  tenant: TenantScope,
  blobId: BlobId,
  { partNumber, storedName }: BlobPartRow,
): Promise<Buffer> {
  const [ring, sealed] = await Promise.all([keys.get(tenant), getInTime(store.get(storedName))])
  if (sealed.length >= longPartBytes) await ownTurn()
  return ring.unseal(partPlace(blobId, partNumber), sealed)
}

/** A part of 4 MB takes some milliseconds to open. */
const longPartBytes = 256 * 1_024

let lastTurn: Promise<void> = Promise.resolve()

/** Eight tracks are read at once: parts that came together are opened one after the other, with others in between. */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn())
  return lastTurn
}

/** Less than a decoder waits for its input: a store that hangs must not pass for a recording that cannot be read. */
const partWithinMs = 40_000

async function getInTime(sealed: Promise<Buffer>): Promise<Buffer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(new BlobStoreFault('the blob store did not answer in time'))
    timer = setTimeout(fail, partWithinMs)
  })
  try {
    return await Promise.race([sealed, late])
  } finally {
    clearTimeout(timer)
    sealed.catch(() => {}) // What comes after that is nobody's any more.
  }
}
