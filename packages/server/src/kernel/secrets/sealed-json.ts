import type { SealedPlace } from './sealing.js'
import type { TenantKeyRing } from './tenant-keys.js'

type Place = Omit<SealedPlace, 'tenantId'>

export const sealJson = (ring: TenantKeyRing, place: Place, value: unknown): Buffer =>
  ring.seal(place, Buffer.from(JSON.stringify(value)))

/** The JSON itself, for whoever parses it elsewhere: a thread, for what is long. */
export const unsealText = (ring: TenantKeyRing, place: Place, sealed: Buffer): string =>
  ring.unseal(place, sealed).toString()

/** What was sealed is what we wrote ourselves: it is authenticated, so its shape needs no second look. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- who reads a place knows what is sealed there
export const unsealJson = <Value>(ring: TenantKeyRing, place: Place, sealed: Buffer): Value =>
  JSON.parse(unsealText(ring, place, sealed)) as Value
