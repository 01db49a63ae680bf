import type { DeliveryStatus } from '@casenote/contract'

interface DeliveryTransition {
  from: readonly DeliveryStatus[]
  to: DeliveryStatus
}

/**
 * What a partner can do to a delivery. Neither starts from `delivering`: the sender in hand would find itself fenced
 * off, and its attempt would be lost. Recovering also leaves alone what is queued or has arrived.
 */
export const DELIVERY_TRANSITIONS = {
  resend: { from: ['pending', 'succeeded', 'failed', 'cancelled'], to: 'pending' },
  recover: { from: ['failed', 'cancelled'], to: 'pending' },
} as const satisfies Record<string, DeliveryTransition>
