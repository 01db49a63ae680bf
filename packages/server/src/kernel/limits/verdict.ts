/** A tenant's limits as the operator set them in `casenote.tenants`; whole numbers. */
export interface TenantLimits {
  ratePerSecond: number
  burst: number
  perDay: number
}

export type LimitVerdict = {
  isAdmitted: boolean
  reason: 'rate' | 'day' | null
  /** 0 when admitted, else at least 1: `Retry-After` has no fractions. */
  retryAfterSeconds: number
  /** The values of `RateLimit-Policy` and `RateLimit`. */
  headers: { policy: string; limit: string }
}
