/** Contract part 3. */
export const CLIENT_STATUSES = [
  'awaiting_invite',
  'active',
  'archived',
  'declined',
  'invite_sent',
  'pending',
  'unknown',
] as const
export type ClientStatus = (typeof CLIENT_STATUSES)[number]
