import type { NoteVersion, OpenRewriting, RewritingKept } from '@casenote/contract'
import type { Answer, StageService } from './stage-memory.js'

/** What waits to be looked over: the newest text against the one before the first rewriting that was not kept. */
export function listRewritingAnswers(
  service: Omit<StageService, 'requests'>,
  versions: readonly NoteVersion[],
): Record<string, Answer> {
  let keptUpTo = 1
  return {
    'GET /session/progress-note/rewriting': (): OpenRewriting => {
      const first = versions.find(({ version, origin }) => version > keptUpTo && origin !== 'edit')
      const [before, after] = [versions[(first?.version ?? 1) - 2], versions.at(-1)]
      const written = versions.findLast(({ origin }) => origin !== 'edit')
      if (!first || !before || !after || !written) return { rewriting: null }
      const keys = new Map([...before.note, ...after.note].map(({ key, title }) => [key, title]))
      const read = (version: NoteVersion, key: string): string | null =>
        version.note.find((section) => section.key === key)?.content ?? null
      const sections = [...keys]
        .map(([key, title]) => ({ key, title, before: read(before, key), after: read(after, key) }))
        .filter((section) => section.before !== section.after)
        // As the service does: what only a hand has changed since is not the rewriting's.
        .filter(({ key }) => read(written, key) !== read(before, key))
      if (sections.length === 0) return { rewriting: null }
      const kind = first.origin === 'magic_edit' ? 'magic_edit' : 'regeneration'
      const generationId = first.progressNoteId
      const versionBefore = before.version
      return {
        rewriting: {
          generationId,
          kind,
          versionBefore,
          isOtherType: false,
          sections,
          gone: service.gone.value,
        },
      }
    },
    'POST /session/progress-note/rewriting/keep': (body) => {
      service.keeps.push(body as RewritingKept)
      keptUpTo = versions.length
    },
  }
}
