import { ServerOutage } from '../engines/engine-fault.js'
import type { Job } from '../jobs/jobs.sql.js'
import { findOutage, waitForOutage, type Outage } from '../jobs/wait-for-outage.js'
import type { PipelineParts, Step } from './pipeline-parts.js'

/** The outage of an engine's server, or of what every job stands on. Null: another fault. */
export const findOutageOfStep = (error: unknown): Outage | null =>
  error instanceof ServerOutage ? { error, retryAfterMs: error.retryAfterMs } : findOutage(error)

/** As long as the step has patience; see `waitForOutage`. */
export async function waitForServer<Claimed extends Job>(
  parts: PipelineParts,
  job: Claimed,
  step: Step<Claimed>,
  outage: Outage,
): Promise<boolean> {
  const patienceMs = await step.findPatienceMs?.(parts, job)
  return waitForOutage(parts, job, outage, patienceMs ?? undefined)
}
