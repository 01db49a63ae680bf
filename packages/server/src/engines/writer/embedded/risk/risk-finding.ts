import type { Role } from '../talk/read-session.js'
import type { RiskElement } from '../talk/risk-words.js'
import type { Statement } from '../statement/statement.js'

/** Rule table 1.5 of the clinical sheet; `told` is quoted, and for the reader to judge. */
export type RiskState = 'denied' | 'endorsed' | 'past' | 'unclear' | 'told'

export interface RiskFinding {
  statement: Statement
  orders: readonly number[]
  element: RiskElement
  state: RiskState
  isPassive: boolean
  /** What the client said, for whoever has to judge it. */
  said: string
}

export const toRiskStatement = (
  text: string,
  order: number,
  items: readonly number[],
  role: Role,
): Statement => ({
  kind: 'risk',
  order,
  items,
  role,
  topics: [],
  asked: [],
  text,
  frame: null,
  bare: null,
  score: 10,
  isMandatory: true,
})
