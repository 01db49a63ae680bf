import type { Actor, ChangeSource } from './audit/index.js'
import type { SystemUserId } from './ids.js'

const nobody: Actor = { kind: 'operator', id: null }
let current = nobody

/** The actor of the command line, in the audit log: one process runs one command of one operator. */
export const operator: ChangeSource = {
  get actor() {
    return current
  },
  requestId: null,
}

/** `user` is what the operating system says, `as` what the operator adds; several people may share a user. */
export function nameOperator(user: SystemUserId | null, as: string | null): void {
  current = { ...nobody, id: user, ...(as === null ? {} : { as }) }
}
