import { signal, type ReadonlySignal } from '@preact/signals'
import type { Engine } from '../../engine/engine.js'
import { lockInTurn, lockRecording } from '../../engine/recordings/lock-recording.js'
import type { Vault } from '../../engine/recordings/sealed.js'
import { ageDraft, toDraftId, type DraftRow } from './draft-rows.js'
import type { SectionText } from './rebase-drafts.js'

/** What was typed and is not saved, and the text it was typed on. */
export interface KeptDraft {
  base: SectionText[]
  drafts: [key: string, content: string][]
}

/**
 * On this device, sealed, with each key stroke: a tab may be closed, or crash, before a text is saved. Of several tabs
 * with the same note the first one keeps drafts: the others would take its unfinished sentences for their own. They wait for it to be
 * closed.
 */
export interface NoteDrafts {
  /** False: what is typed is in this tab alone, which asks before it is closed. */
  isKept: ReadonlySignal<boolean>
  read(): Promise<KeptDraft | null>
  /** Null: everything is saved. */
  keep(draft: KeptDraft | null): void
  close(): void
}

/** What is not on the disk as its screen is left, for as long as its clinician is signed in: they may come back to it. */
const inMemory = new WeakMap<Vault, Map<string, KeptDraft>>()

export function makeNoteDrafts(
  { store, getVault, getServedAtMs }: Pick<Engine, 'store' | 'getVault' | 'getServedAtMs'>,
  place: string,
): NoteDrafts {
  const vault = getVault()
  const left = vault === null ? null : (inMemory.get(vault) ?? new Map<string, KeptDraft>())
  if (vault !== null && left !== null) inMemory.set(vault, left)
  const isKept = signal(store !== null && vault !== null)
  const closing = new AbortController()
  let latest: KeptDraft | null = null
  /** What is on its way as it is left may still arrive. */
  const leave = (): void => {
    if (!closing.signal.aborted) return
    if (latest === null || isKept.peek()) left?.delete(place)
    else left?.set(place, latest)
  }
  const takeLeft = (): KeptDraft | null => {
    const found = left?.get(place) ?? null
    left?.delete(place)
    return found
  }
  addEventListener(
    'beforeunload',
    (event) => {
      if (latest !== null && !isKept.peek()) event.preventDefault()
    },
    { signal: closing.signal },
  )
  // Without them what is typed is as safe as the connection.
  if (store === null || vault === null)
    return {
      isKept,
      read: async () => takeLeft(),
      keep: (draft) => {
        latest = draft
        leave()
      },
      close: () => {
        closing.abort()
        leave()
      },
    }
  const draftId = toDraftId(vault, place)
  let next: KeptDraft | null | undefined
  let isWriting = false
  /** Another tab's text lies there: it is not written over before somebody has read it. */
  let isFree = true

  const find = async (): Promise<DraftRow | undefined> =>
    (await store.list<DraftRow>('drafts')).find((row) => row.draftId === draftId)

  const waitForOther = async (): Promise<(() => void) | null> => {
    isKept.value = false
    const release = await lockInTurn(draftId, closing.signal)
    if (release === null) return null
    // What the other tab left unsaved is not written over: this one has not read it.
    if ((await find().catch(() => null)) === undefined) {
      isKept.value = true
      return release
    }
    release()
    return null
  }

  const atOnce = lockRecording(draftId).catch(() => null)
  const locked = atOnce.then((release) => release ?? waitForOther())

  const forget = (draftIds: string[]): Promise<void> => store.remove('drafts', draftIds)

  const write = async (draft: KeptDraft | null): Promise<void> => {
    if (draft === null) return forget([draftId])
    const sealed = await vault.seal(draftId, new TextEncoder().encode(JSON.stringify(draft)))
    const servedAtMs = getServedAtMs()
    const at = servedAtMs === null ? {} : { servedAtMs }
    const row: DraftRow = { draftId, keptAtMs: Date.now(), ...at, sealed }
    await store.put('drafts', row)
  }

  return {
    isKept,
    async read() {
      try {
        const isMine = (await atOnce) !== null
        if (isMine) await store.sweep<DraftRow>('drafts', (one) => ageDraft(one, getServedAtMs()))
        const row = isMine ? await find() : undefined
        const ours = takeLeft()
        if (ours !== null && row !== undefined) isKept.value = isFree = false
        if (ours !== null || row === undefined) return ours
        return JSON.parse(new TextDecoder().decode(await vault.unseal(draftId, row.sealed))) as KeptDraft
      } catch {
        return null // Sealed with a key that is gone, or no storage any more: the saved note is what there is.
      }
    },
    /** One at a time; what was typed meanwhile comes next, as one. */
    keep(draft) {
      next = latest = draft
      leave()
      if (isWriting) return
      isWriting = true
      void (async () => {
        if ((await locked) === null || !isFree) return
        while (next !== undefined) {
          const current = next
          next = undefined
          // A full disk: the note itself is saved soon.
          isKept.value = await write(current).then(
            () => true,
            () => false,
          )
        }
        isWriting = false
      })()
    },
    close: () => {
      closing.abort()
      leave()
      void locked.then((release) => release?.())
    },
  }
}
