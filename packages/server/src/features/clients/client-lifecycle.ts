import type { ClientStatus } from '@casenote/contract'

interface ClientTransition {
  from: readonly ClientStatus[]
  /** `before`: what it was before it was archived. */
  to: ClientStatus | 'before'
}

/** Ruling 5. `unknown` is only for imported records: nothing but archiving leads away from it. */
export const CLIENT_TRANSITIONS = {
  invite: { from: ['awaiting_invite', 'invite_sent', 'declined'], to: 'invite_sent' },
  openInvitation: { from: ['invite_sent'], to: 'pending' },
  acceptInvitation: { from: ['pending'], to: 'active' },
  declineInvitation: { from: ['pending'], to: 'declined' },
  startFirstSession: { from: ['awaiting_invite'], to: 'active' },
  archive: {
    from: ['awaiting_invite', 'active', 'declined', 'invite_sent', 'pending', 'unknown'],
    to: 'archived',
  },
  unarchive: { from: ['archived'], to: 'before' },
} as const satisfies Record<string, ClientTransition>

export type ClientAction = keyof typeof CLIENT_TRANSITIONS
