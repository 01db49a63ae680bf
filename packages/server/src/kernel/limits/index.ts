export { Limiter } from './limiter.js'
export type { LimitVerdict, TenantLimits } from './verdict.js'
