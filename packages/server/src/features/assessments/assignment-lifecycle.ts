import type { AssignmentStatus } from '@casenote/contract'

interface AssignmentTransition {
  from: AssignmentStatus
  to: AssignmentStatus
}

/** Both ends are final: what was completed or has expired is administered anew. */
export const ASSIGNMENT_TRANSITIONS = {
  complete: { from: 'outstanding', to: 'completed' },
  expire: { from: 'outstanding', to: 'expired' },
} as const satisfies Record<string, AssignmentTransition>
