/**
 * A tenant is one partner in one environment (decisions 3). Every statement takes a scope; the only ways to get one
 * are a checked credential, an operator's command or a job that names its tenant.
 */
export interface TenantScope {
  readonly tenantId: string
}

export type Environment = 'sandbox' | 'production'
