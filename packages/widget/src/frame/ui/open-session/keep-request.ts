import type { MagicEdit, Page } from '@casenote/contract'
import { effect, type Signal } from '@preact/signals'
import type { WidgetRequests } from '../../engine/engine.js'
import type { NoteDrafts } from './note-drafts.js'

interface Parts {
  api: WidgetRequests
  notePath: string
  kept: NoteDrafts
  request: Signal<string>
  /** Tells once, when nothing is being written. */
  whenWritten: (tell: () => void) => void
  onRefused: (reason: string | null) => void
}

/**
 * What is asked of a magic edit stays on this device until it worked, also for who left the screen before they heard: one that was
 * done meanwhile is not asked for again, and of one that was refused the reason is told.
 */
export function keepRequest({ api, notePath, kept, request, whenWritten, onRefused }: Parts): () => void {
  let isRead = false
  const compare = async (text: string): Promise<void> => {
    const newest = await readNewestEdit(api, notePath)
    if (newest === null || newest.userInstructions.trim() !== text.trim()) return
    if (request.peek() !== text) return
    if (newest.failureReason === null) request.value = ''
    else onRefused(newest.failureReason)
  }
  const takeUp = async (): Promise<void> => {
    const text = (await kept.read())?.drafts[0]?.[1] ?? ''
    isRead = true
    // Whoever was faster than the storage types on.
    if (text === '' || request.peek() !== '') return
    request.value = text
    whenWritten(() => void compare(text).catch(() => {}))
  }
  void takeUp()
  const stop = effect(() => {
    const text = request.value
    if (isRead || text !== '')
      kept.keep(text.trim() === '' ? null : { base: [], drafts: [['request', text]] })
  })
  return () => {
    stop()
    kept.close()
  }
}

/** The list is newest first. */
export async function readNewestEdit(api: WidgetRequests, notePath: string): Promise<MagicEdit | null> {
  const { data } = await api.get<Page<MagicEdit>>(`${notePath}/magic-edits?page=1`)
  return data[0] ?? null
}
