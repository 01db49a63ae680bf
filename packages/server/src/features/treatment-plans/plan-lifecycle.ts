import type { EventType, PlanStatus } from '@casenote/contract'
import { refuse } from '../../kernel/refuse.js'

interface PlanTransition {
  from: readonly PlanStatus[]
  to: PlanStatus
  event: EventType
}

/** A changed plan stays active: its new version waits for a signature, which `sign` gives it. */
export const PLAN_TRANSITIONS = {
  sign: { from: ['draft', 'active'], to: 'active', event: 'treatment_plan_changed' },
  end: { from: ['draft', 'active'], to: 'ended', event: 'treatment_plan_changed' },
} as const satisfies Record<string, PlanTransition>

export type PlanAction = keyof typeof PLAN_TRANSITIONS

export function requireNotEnded({ status }: { status: PlanStatus }): void {
  if (status === 'ended') throw refuse.conflict('treatment_plan_ended', 'Treatment plan has ended')
}
