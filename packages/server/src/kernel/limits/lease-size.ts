/** The rules of how much to lease and when, as plain arithmetic. */

/**
 * A share should last half a second, half of the time after which an idle process gives it back: a tenant
 * with few but steady requests then spends what was leased for it. What bounds parked tokens is not this but
 * the share that the lease statement allows.
 */
const shareLastsMs = 500

/** Spending is measured over at least this long: two requests in one millisecond are not 2,000 a second. */
const measuredMsMin = 100

/** What this process would like to hold, from what it spent since its last lease. */
export function planShare(spent: number, elapsedMs: number): number {
  return Math.floor((spent * shareLastsMs) / Math.max(elapsedMs, measuredMsMin))
}

/**
 * The next lease starts when a quarter of the share is left: 12 of 50 tokens last 2.4 ms at the 5,000
 * requests a second that one process serves, and a lease takes 1 ms or less. Starting at half
 * of it took 1.5 times as many statements.
 */
export const topUpThreshold = (share: number): number => Math.floor(share / 4)

/**
 * After "empty" the database is not asked for a while. At least 10 ms: at 10,000 tokens a second the next one
 * is there in 0.1 ms, and asking for each would be the round trip per request that leases avoid. What accrues
 * meanwhile stays in the bucket: of the default burst, 0.5 %. At most 1 s: the operator may raise a limit,
 * and others give tokens back.
 */
export const refuseLocallyForMs = (moreInMs: number): number => Math.min(Math.max(moreInMs, 10), 1_000)
