/** Time is passed in, so that a test can move it. Leases and due times use the database's clock instead. */
export interface Clock {
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }
