import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { SealedPlace } from './sealing.js'
import type { TenantKeyRing } from './tenant-keys.js'

declare const valueOf: unique symbol

/** Where JSON of one kind is sealed: what is put there, and what is read from there, is a `Value`. */
export interface JsonPlace<Value> extends Omit<SealedPlace, 'tenantId'> {
  readonly [valueOf]?: Value
}

const deflateAsync = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.deflate)
const inflateAsync = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflate)

export const sealJson = <Value>(
  ring: TenantKeyRing,
  place: JsonPlace<Value>,
  value: Readonly<NoInfer<Value>>,
): Buffer => ring.seal(place, Buffer.from(JSON.stringify(value)))

/** What hours of talk come to is some megabytes; a few kilobytes that unpack to more than this are not ours. */
const longBytesMax = 256 * 1024 * 1024

/** The bytes with which JSON begins; what is packed begins otherwise. Long values that were never packed are read, too. */
const jsonBegins = new Set<number | undefined>(Buffer.from('{['))

/**
 * For megabytes: packed, which other threads do, so that a row is read, opened and written in a fraction of the time; what
 * is left is a turn each.
 */
export async function sealLongJson<Value>(
  ring: TenantKeyRing,
  place: JsonPlace<Value>,
  value: Readonly<NoInfer<Value>>,
): Promise<Buffer> {
  const text = JSON.stringify(value)
  await nextTurn()
  const packed = await deflateAsync(text, { level: zlib.constants.Z_BEST_SPEED })
  return ring.seal(place, packed)
}

/** The JSON of what may be long, in turns that others come between. */
export async function unsealLongText(
  ring: TenantKeyRing,
  place: JsonPlace<unknown>,
  sealed: Buffer,
): Promise<string> {
  const bytes = ring.unseal(place, sealed)
  const plain = jsonBegins.has(bytes[0])
    ? bytes
    : await inflateAsync(bytes, { maxOutputLength: longBytesMax })
  await nextTurn()
  return plain.toString()
}

export async function unsealLongJson<Value>(
  ring: TenantKeyRing,
  place: JsonPlace<Value>,
  sealed: Buffer,
): Promise<NoInfer<Value>> {
  const text = await unsealLongText(ring, place, sealed)
  await nextTurn()
  return JSON.parse(text) as Value
}

/** The JSON itself, for whoever parses it elsewhere: a thread, for what is long. */
export const unsealText = (ring: TenantKeyRing, place: JsonPlace<unknown>, sealed: Buffer): string =>
  ring.unseal(place, sealed).toString()

/** What was sealed is what we wrote ourselves: it is authenticated, so its shape needs no second look. */
export const unsealJson = <Value>(
  ring: TenantKeyRing,
  place: JsonPlace<Value>,
  sealed: Buffer,
): NoInfer<Value> => JSON.parse(unsealText(ring, place, sealed)) as Value
