import type { NoteVersion, Page } from '@casenote/contract'
import type { WidgetRequests } from '../../engine/engine.js'

export interface VersionPages {
  /** Newest first. */
  versions: NoteVersion[]
  /** The page before the ones that were read; 0: all were. */
  nextPage: number
}

/** The list is oldest first and its end is what people ask for: read from the last page to the first. */
export async function readNewestVersions(api: WidgetRequests, notePath: string): Promise<VersionPages> {
  const first = await api.get<Page<NoteVersion>>(`${notePath}/versions?page=1`)
  const { totalPages } = first.meta
  if (totalPages === 1) return { versions: newestFirst(first.data), nextPage: 0 }
  const last = await readEarlierVersions(api, notePath, { versions: [], nextPage: totalPages })
  // One alone says nothing: whoever wants to undo needs the one before.
  return last.versions.length > 1 ? last : readEarlierVersions(api, notePath, last)
}

export async function readEarlierVersions(
  api: WidgetRequests,
  notePath: string,
  { versions, nextPage }: VersionPages,
): Promise<VersionPages> {
  const { data } = await api.get<Page<NoteVersion>>(`${notePath}/versions?page=${nextPage}`)
  return { versions: [...versions, ...newestFirst(data)], nextPage: nextPage - 1 }
}

const newestFirst = (versions: readonly NoteVersion[]): NoteVersion[] =>
  versions.toSorted((one, other) => other.version - one.version)

/** Saves of one sitting are one entry of the history: what is typed is saved every other second. */
const sittingMs = 10 * 60_000

/** Hides versions that the next one, of the same hand and sitting, only continued. `versions`: newest first. */
export const joinSittings = (versions: readonly NoteVersion[]): NoteVersion[] =>
  versions.filter((version, index) => {
    const next = versions[index - 1]
    if (next === undefined || next.origin !== 'edit' || version.origin !== 'edit') return true
    return Date.parse(next.createdAt) - Date.parse(version.createdAt) > sittingMs
  })
