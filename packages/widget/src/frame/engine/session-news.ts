import type { WidgetSession } from '@casenote/contract'
import type { EventDetail, NoteContext, WidgetEvent } from '../../protocol.js'

/** What a session's changes mean to the page; each is told once. */
export function makeSessionNews(
  raise: (event: WidgetEvent, detail: EventDetail, of: NoteContext) => void,
): (session: WidgetSession, before: WidgetSession | null) => void {
  // By the note's id, which every writing changes and a refused magic edit leaves: a stream may say again what it said before.
  const told = new Set<string>()
  return ({ sessionId, sessionExternalId, client, note }, before) => {
    const isNews = (event: WidgetEvent): boolean => {
      const once = `${event}/${note.progressNoteId}`
      return !told.has(once) && told.add(once).has(once)
    }
    const isNowReady = note.hasText && isNews('progressNoteReady')
    // What a session has when it is first heard of is no news.
    if (before === null) return
    const isNowFinal =
      note.status === 'finalized' && before.note.status !== 'finalized' && isNews('noteFinalized')
    if (!isNowReady && !isNowFinal) return
    const event = isNowFinal ? 'noteFinalized' : 'progressNoteReady'
    const of = { clientId: client.id, sessionId, sessionExternalId, progressNoteId: note.progressNoteId }
    const { sessionExternalId: externalId, ...detail } = of
    raise(event, externalId === null ? detail : of, of)
  }
}
