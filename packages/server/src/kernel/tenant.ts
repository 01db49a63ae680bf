import type { QueryResultRow } from 'pg'
import type { Channel } from './db/announcements.js'
import type { Statement } from './db/tenant-read.js'
import type { TenantId } from './ids.js'

/** A caller on whose behalf something is changed: may be cut off between the door and the commit (decision 0019). */
export interface Admission {
  /** Whether this process can tell, without asking, that they are let in as they were at the door. */
  isCertain(): boolean
  /** Asks in the transaction that is about to commit, and refuses whoever is let in no more. */
  require(ask: <Row>(statement: Statement<Row>) => Promise<Row[]>): Promise<void>
}

/**
 * A tenant is one partner in one environment (ruling 3). Every statement takes a scope; the only ways to get one
 * are a checked credential, an operator's command or a job that names its tenant.
 */
export interface TenantScope {
  readonly tenantId: TenantId
  /** Asks whether the caller of a request is still let in. Absent for what jobs and operators change, which nobody asks for who could be cut off. */
  readonly admission?: Admission
  /** One that is open already: whatever is read or written with this scope is part of it (decision 0034). */
  readonly transaction?: OpenTransaction
}

export interface OpenTransaction {
  run<Row = QueryResultRow>(statement: Statement<Row>): Promise<Row[]>
  /** Tells who listens, once this is committed, that there is something to look for. */
  announce(channel: Channel): void
}

export type Environment = 'sandbox' | 'production'

/** By whose rules a tenant's URLs are judged and called: by a sandbox's own only where that is at home (decision 0021). */
export const targetsOf = (environment: Environment, isSandboxHome: boolean): Environment =>
  environment === 'sandbox' && isSandboxHome ? 'sandbox' : 'production'
