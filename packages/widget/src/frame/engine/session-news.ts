import type { WidgetSession } from '@casenote/contract'
import type { EventDetail, NoteContext, WidgetEvent } from '../../protocol.js'

/** What a session's changes mean to the page; each is told once. */
export function makeSessionNews(
  raise: (event: WidgetEvent, detail: EventDetail, of: NoteContext) => void,
): (session: WidgetSession, before: WidgetSession | null) => void {
  const told = new Set<string>()
  return ({ sessionId, sessionExternalId, client, note }, before) => {
    if (before === null) return
    // A magic edit that was refused leaves the note as it was, under its id: nothing is ready that was not.
    const isNew = !before.note.hasText || before.note.progressNoteId !== note.progressNoteId
    const isNowReady = before.note.isLoading && !note.isLoading && note.status !== 'failed' && isNew
    const isNowFinal = before.note.status !== 'finalized' && note.status === 'finalized'
    if (!isNowReady && !isNowFinal) return
    const event = isNowFinal ? 'noteFinalized' : 'progressNoteReady'
    const once = `${event}/${note.progressNoteId}/${note.etag}`
    if (told.has(once)) return
    told.add(once)
    const of = { clientId: client.id, sessionId, sessionExternalId, progressNoteId: note.progressNoteId }
    const { sessionExternalId: externalId, ...detail } = of
    raise(event, externalId === null ? detail : of, of)
  }
}
