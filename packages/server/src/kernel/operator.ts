/** The actor of the command line, in the audit log. */
export const operator = { actor: { kind: 'operator', id: null }, requestId: null } as const
