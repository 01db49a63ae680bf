import type { Measured } from './local/model-store.js'

/** A session of 50 minutes is some 12,000 tokens with the rules around it; they are read once. */
const readTokens = 12_000
/** Note, danger, verification, MDM and summary together. */
const writeTokens = 4_500

/** A note that takes longer than its session took is never caught up with. */
export const minutesMax = 50

/** For all passes over a session. Reading slows down as a context fills: it is the least it will take. */
export const reckonMinutes = ({ readTokensPerSecond, writeTokensPerSecond }: Measured): number =>
  (readTokens / readTokensPerSecond + writeTokens / writeTokensPerSecond) / 60
