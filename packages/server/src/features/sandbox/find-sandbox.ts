import type { CallerTenant } from '../../http/gateway.js'

/**
 * What every route in here loads first: null, which is the one 404, for a production tenant, and for a sandbox on an
 * installation where it is not at home (decision 0021).
 */
export const findSandbox = (tenant: CallerTenant): Promise<CallerTenant | null> =>
  Promise.resolve(tenant.targets === 'sandbox' ? tenant : null)
