/**
 * A tenant is one partner in one environment (decisions 3). Every statement takes a scope; the only ways to get one
 * are a checked credential, an operator's command or a job that names its tenant.
 */
export interface TenantScope {
  readonly tenantId: string
}

export type Environment = 'sandbox' | 'production'

/** By whose rules a tenant's URLs are judged and called: by a sandbox's own only where that is at home (decision 0021). */
export const targetsOf = (environment: Environment, isSandboxHome: boolean): Environment =>
  environment === 'sandbox' && isSandboxHome ? 'sandbox' : 'production'
