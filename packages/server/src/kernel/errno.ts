/** What the system calls a fault: `ENOENT`. Null: it has no such name. */
export const errnoOf = (error: unknown): string | null =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null

export function isErrno(error: unknown, ...codes: string[]): boolean {
  const code = errnoOf(error)
  return code !== null && codes.includes(code)
}
