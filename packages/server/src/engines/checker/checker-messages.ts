import type { LedgerRequest } from '../ledger/ledger.js'
import type { ExactCheckRequest, RecheckRequest } from './note-checker.js'

/** What a thread is asked; it answers with the result, or with null where it failed. */
export type CheckerTask =
  | { kind: 'check'; request: ExactCheckRequest }
  | { kind: 'recheck'; request: RecheckRequest }
  | { kind: 'compare'; request: LedgerRequest }
