/** What a tenant's keys are for: sealing its data, signing its tokens, chaining its audit log. */
export const KEY_PURPOSES = ['data', 'token', 'audit'] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]
