import type { AssignmentStatus } from '@casenote/contract'

interface AssignmentTransition {
  from: readonly AssignmentStatus[]
  to: AssignmentStatus
}

/** What was completed or revoked is final: it is administered anew. An expired link can be issued again. */
export const ASSIGNMENT_TRANSITIONS = {
  complete: { from: ['outstanding'], to: 'completed' },
  expire: { from: ['outstanding'], to: 'expired' },
  reissue: { from: ['outstanding', 'expired'], to: 'outstanding' },
  revoke: { from: ['outstanding', 'expired'], to: 'revoked' },
} as const satisfies Record<string, AssignmentTransition>
