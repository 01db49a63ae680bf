import type { WidgetSession } from '@casenote/contract'
import type { EventDetail, NoteContext, WidgetEvent } from '../../protocol.js'

/** What a session's changes mean to the page; each is told once. */
export function makeSessionNews(
  raise: (event: WidgetEvent, detail: EventDetail, of: NoteContext) => void,
): (session: WidgetSession, before: WidgetSession | null) => void {
  // By the note's id, which every writing changes and a refused magic edit leaves: a stream may say again what it said before.
  const told = new Set<string>()
  return ({ sessionId, sessionExternalId, client, note }, before) => {
    const events: WidgetEvent[] = [
      ...(note.hasText ? ['progressNoteReady' as const] : []),
      ...(note.status === 'finalized' ? ['noteFinalized' as const] : []),
    ]
    const news = events.filter((event) => !told.has(`${event}/${note.progressNoteId}`))
    for (const event of news) told.add(`${event}/${note.progressNoteId}`)
    const event = news.at(-1)
    // What a session has when it is first heard of is no news.
    if (before === null || event === undefined) return
    const of = { clientId: client.id, sessionId, sessionExternalId, progressNoteId: note.progressNoteId }
    const { sessionExternalId: externalId, ...detail } = of
    raise(event, externalId === null ? detail : of, of)
  }
}
