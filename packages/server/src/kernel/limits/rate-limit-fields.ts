import type { TenantLimits } from './verdict.js'

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-10: lists of structured-field strings (RFC 9651) with
 * integer parameters. `q` and `r` count requests, `w` and `t` whole seconds; `w` must not be 0.
 */
export type PolicyName = 'burst' | 'day'

const secondsPerDay = 86_400

/** The burst's window is the time in which an empty bucket fills. */
export function describePolicies({ ratePerSecond, burst, perDay }: TenantLimits): string {
  const fillSeconds = Math.max(1, Math.ceil(burst / ratePerSecond))
  return `"burst";q=${burst};w=${fillSeconds}, "day";q=${perDay};w=${secondsPerDay}`
}

/** In two halves, because only the number between them changes from one request to the next. */
export interface LimitField {
  beforeRemaining: string
  afterRemaining: string
}

/** `t` is the time until more quota is there (section 4.1.2), not until all of it is. */
export const describeLimit = (policy: PolicyName, moreInMs: number): LimitField => ({
  beforeRemaining: `"${policy}";r=`,
  afterRemaining: `;t=${toWholeSeconds(moreInMs)}`,
})

/** Rounded up and at least 1: a caller that waits this long does not come too early. */
export const toWholeSeconds = (durationMs: number): number => Math.max(1, Math.ceil(durationMs / 1_000))
