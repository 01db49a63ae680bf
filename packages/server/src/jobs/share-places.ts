import type { TenantId } from '../kernel/ids.js'
import type { Job, JobKind } from './jobs.sql.js'

/** Kinds that share a number of places. A long kind has a lane of its own, or it would delay the short ones. */
export interface Lane {
  kinds: readonly JobKind[]
  places: number
  /**
   * For kinds whose length somebody outside decides: a tenant may hold as many places as it leaves free, so the first
   * takes half of them, the next half of the rest, and one that has none finds one.
   */
  leavesRoom?: boolean
  /**
   * For kinds that can be broken off and gone on with. Where all places are taken for this long, one of them, of the
   * tenant with the most, is given to a tenant that has none.
   */
  turnMs?: number
}

/** A claim while it is worked on. */
export interface Running {
  job: Job
  controller: AbortController
  startedMs: number
}

export interface Room {
  /** Tenants that have their share of the places. */
  passedOver: string[]
  /** Whoever must go if somebody else is found. */
  late: Running | null
}

/** Who may have a place. Null: nobody. */
export function findRoom(lane: Lane, running: readonly Running[], nowMs: number): Room | null {
  const taken = running.map(({ job }) => job.tenantId)
  const countOf = (tenantId: TenantId): number => taken.filter((one) => one === tenantId).length
  const free = lane.places - taken.length
  if (free > 0) {
    const passedOver = lane.leavesRoom === true ? taken.filter((tenantId) => countOf(tenantId) >= free) : []
    return { passedOver: [...new Set(passedOver)], late: null }
  }
  const { turnMs = Infinity } = lane
  // Below 0: one was told to go and has not gone yet.
  const [late] = running
    .filter(({ startedMs }) => free === 0 && nowMs - startedMs >= turnMs)
    .toSorted((a, b) => countOf(b.job.tenantId) - countOf(a.job.tenantId) || a.startedMs - b.startedMs)
  return late === undefined ? null : { passedOver: [...new Set(taken)], late }
}
