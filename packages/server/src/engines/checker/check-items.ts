import type { ExactCheck } from './exact-check.js'
import { saysNotAsked } from './check-not-asked.js'

/** A sentence rests on items that exist. That something was not asked rests on none. */
export const checkItems: ExactCheck = ({ text, items }, talk) => {
  if (items.some((index) => talk.at(index) === null)) return 'no_evidence'
  return items.length === 0 && !saysNotAsked(text) ? 'no_evidence' : null
}
