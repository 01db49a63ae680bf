import type { Reading } from '../reader/reading.js'
import type { RefusalReason } from '../writer/writer-engine.js'
import type { Claim } from './read-claim.js'
import type { Talk } from './read-talk.js'

/** What meaning cannot replace: finds a fault that needs no judgement, or null. */
export type ExactCheck = (claim: Claim, talk: Talk, reading: Reading) => RefusalReason

/** How far beside the cited items a number or a name may stand: the question, its answer, and a turn between them. */
export const besideItems = 3
