import type { ExactCheck } from './exact-check.js'
import { saysNotAsked } from '../ledger/says-not-asked.js'

const noEvidence = { reason: 'no_evidence', part: null } as const

/** A sentence rests on items that exist. That something was not asked rests on none. */
export const checkItems: ExactCheck = ({ text, items }, talk) => {
  if (items.some((index) => talk.at(index) === null)) return noEvidence
  return items.length === 0 && !saysNotAsked(text) ? noEvidence : null
}
