/** Apart from the schemas: the frame loads these, and none of TypeBox. */

/** What a clinician looks for among their sessions. `unsigned`: `ready`, `underway` and `failed` together. */
export const WORK_STATES = ['unsigned', 'ready', 'underway', 'failed', 'signed'] as const
export type WorkState = (typeof WORK_STATES)[number]

/** The newest sessions of a clinician that are looked through: more than a year of full days. */
export const workSessionsMax = 2_000

/** Somebody who has not come back to a failed one by then does not wait for it; it stays under its client. */
export const failedWorkDays = 30
