import { describe, expect, it } from 'vitest'
import { joinSittings } from '../../../../src/frame/ui/note/note-versions.js'

describe('the version history', () => {
  const toVersion = (version: number, origin: 'edit' | 'generation', minute: number) => ({
    id: String(version),
    version,
    progressNoteId: '',
    origin,
    note: [],
    createdAt: new Date(Date.UTC(2026, 10, 15, 10, minute)).toISOString(),
  })

  it('shows the saves of one sitting as one entry', () => {
    const versions = [
      toVersion(5, 'edit', 40),
      toVersion(4, 'edit', 3),
      toVersion(3, 'edit', 2),
      toVersion(2, 'edit', 1),
      toVersion(1, 'generation', 0),
    ]
    expect(joinSittings(versions).map(({ version }) => version)).toEqual([5, 4, 1])
  })
})
