import type { Reading } from '../reader/reading.js'
import type { RefusalReason } from '../writer/writer-engine.js'
import type { Claim } from './read-claim.js'
import type { Talk } from './read-talk.js'

/** Why a sentence is refused, and which of its words are at fault; null where no word is more at fault than the others. */
export interface Fault {
  reason: NonNullable<RefusalReason>
  part: string | null
  /** Said only by what is known beside the session. */
  isBackground?: true
}

/** What meaning cannot replace: finds a fault that needs no judgement, or null. */
export type ExactCheck = (claim: Claim, talk: Talk, reading: Reading) => Fault | null

/** How far beside the cited items a number or a name may stand: the question, its answer, and a turn between them. */
export const besideItems = 3
