import type { Engine } from '../../engine/engine.js'
import { lockRecording } from '../../engine/recordings/lock-recording.js'
import { isKeptDraft, toDraftId, type DraftRow } from './draft-rows.js'
import type { SectionText } from './rebase-drafts.js'

/** What was typed and is not saved, and the text it was typed on. */
export interface KeptDraft {
  base: SectionText[]
  drafts: [key: string, content: string][]
}

/**
 * On this device, sealed, with each key stroke: a tab may be closed, or crash, before a text is saved. Of several tabs
 * with the same note the first one keeps drafts: the others would take its unfinished sentences for their own.
 */
export interface NoteDrafts {
  read(): Promise<KeptDraft | null>
  /** Null: everything is saved. */
  keep(draft: KeptDraft | null): void
  close(): void
}

export function makeNoteDrafts(
  { store, getVault }: Pick<Engine, 'store' | 'getVault'>,
  sessionId: string,
): NoteDrafts {
  const vault = getVault()
  // Without them what is typed is as safe as the connection.
  if (store === null || vault === null) return { read: async () => null, keep: () => {}, close: () => {} }
  const draftId = toDraftId(vault, sessionId)
  let next: KeptDraft | null | undefined
  let isWriting = false
  const locked = lockRecording(draftId)

  const forget = (draftIds: string[]): Promise<void> => store.remove('drafts', draftIds)

  const write = async (draft: KeptDraft | null): Promise<void> => {
    if (draft === null) return forget([draftId])
    const sealed = await vault.seal(draftId, new TextEncoder().encode(JSON.stringify(draft)))
    const row: DraftRow = { draftId, keptAtMs: Date.now(), sealed }
    await store.put('drafts', row)
  }

  return {
    async read() {
      try {
        if ((await locked) === null) return null
        const rows = await store.list<DraftRow>('drafts')
        await forget(rows.filter((row) => !isKeptDraft(row)).map((row) => row.draftId))
        const row = rows.find((one) => one.draftId === draftId)
        if (row === undefined) return null
        return JSON.parse(new TextDecoder().decode(await vault.unseal(draftId, row.sealed))) as KeptDraft
      } catch {
        return null // Sealed with a key that is gone, or no storage any more: the saved note is what there is.
      }
    },
    /** One at a time; what was typed meanwhile comes next, as one. */
    keep(draft) {
      next = draft
      if (isWriting) return
      isWriting = true
      void (async () => {
        if ((await locked) === null) return
        while (next !== undefined) {
          const current = next
          next = undefined
          await write(current).catch(() => {}) // A full disk: the note itself is saved soon.
        }
        isWriting = false
      })()
    },
    close: () => void locked.then((release) => release?.()),
  }
}
