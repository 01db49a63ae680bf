import { createHash } from 'node:crypto'

/** The id of a finding, the same for the same finding in the same transcript: made of what it says and where, never of chance. */
export const makeFindingId = (kind: string, ...parts: readonly (string | number | null)[]): string =>
  `${kind}-${createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest('hex')
    .slice(0, 12)}`

export const sortItems = (items: Iterable<number>): number[] => [...new Set(items)].toSorted((a, b) => a - b)
