import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { SealedPlace } from './sealing.js'
import type { TenantKeyRing } from './tenant-keys.js'

type Place = Omit<SealedPlace, 'tenantId'>

const deflateAsync = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.deflate)
const inflateAsync = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflate)

export const sealJson = (ring: TenantKeyRing, place: Place, value: unknown): Buffer =>
  ring.seal(place, Buffer.from(JSON.stringify(value)))

/** What hours of talk come to is some megabytes; a few kilobytes that unpack to more than this are not ours. */
const longBytesMax = 256 * 1024 * 1024

/** The bytes with which JSON begins; what is packed begins otherwise. Long values that were never packed are read, too. */
const jsonBegins = new Set<number | undefined>(Buffer.from('{['))

/**
 * For megabytes: packed, which other threads do, so that a row is read, opened and written in a fraction of the time; what
 * is left is a turn each.
 */
export async function sealLongJson(ring: TenantKeyRing, place: Place, value: object): Promise<Buffer> {
  const text = JSON.stringify(value)
  await nextTurn()
  const packed = await deflateAsync(text, { level: zlib.constants.Z_BEST_SPEED })
  return ring.seal(place, packed)
}

/** The JSON of what may be long, in turns that others come between. */
export async function unsealLongText(ring: TenantKeyRing, place: Place, sealed: Buffer): Promise<string> {
  const bytes = ring.unseal(place, sealed)
  const plain = jsonBegins.has(bytes[0])
    ? bytes
    : await inflateAsync(bytes, { maxOutputLength: longBytesMax })
  await nextTurn()
  return plain.toString()
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- who reads a place knows what is sealed there
export async function unsealLongJson<Value>(
  ring: TenantKeyRing,
  place: Place,
  sealed: Buffer,
): Promise<Value> {
  const text = await unsealLongText(ring, place, sealed)
  await nextTurn()
  return JSON.parse(text) as Value
}

/** The JSON itself, for whoever parses it elsewhere: a thread, for what is long. */
export const unsealText = (ring: TenantKeyRing, place: Place, sealed: Buffer): string =>
  ring.unseal(place, sealed).toString()

/** What was sealed is what we wrote ourselves: it is authenticated, so its shape needs no second look. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- who reads a place knows what is sealed there
export const unsealJson = <Value>(ring: TenantKeyRing, place: Place, sealed: Buffer): Value =>
  JSON.parse(unsealText(ring, place, sealed)) as Value
