import type { WidgetCaller } from '../../http/widget-caller.js'
import type { Places } from '../../kernel/places.js'
import { refuse } from '../../kernel/refuse.js'

/** Most of what takes a place is over in seconds. */
const soonSeconds = 2

/** Takes a place; what it returns gives it back. Refuses for what one clinician has too much of, or their tenant, or the whole process. */
export function takePlace(
  places: Places,
  { tenant, clinicianId: owner }: WidgetCaller,
  what: string,
  retryAfterSeconds = soonSeconds,
): () => void {
  const taker = { tenantId: tenant.tenantId, owner }
  const release = places.take(taker)
  if (release !== null) return release
  const message = `Too many ${what} at once; ask again in a moment`
  throw places.hasAll(taker)
    ? refuse.tooMany('too_many_open', message, retryAfterSeconds)
    : refuse.busy('busy', message)
}
