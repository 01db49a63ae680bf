import type { WidgetSession } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { makeSessionNews } from '../../../src/frame/engine/session-news.js'

describe('the page is told that a note is ready', () => {
  const toSession = (note: Partial<WidgetSession['note']>): WidgetSession =>
    ({
      sessionId: 's',
      sessionExternalId: null,
      client: { id: 'c' },
      note: { progressNoteId: 'n', status: 'generated', isLoading: false, hasText: true, etag: '', ...note },
    }) as WidgetSession
  const hear = (...notes: Partial<WidgetSession['note']>[]): string[] => {
    const told: string[] = []
    const news = makeSessionNews((event, _detail, { progressNoteId }) =>
      told.push(`${event} ${progressNoteId}`),
    )
    const sessions = notes.map(toSession)
    for (const [at, session] of sessions.entries()) news(session, sessions[at - 1] ?? null)
    return told
  }
  const loading = { isLoading: true, status: 'generating' } as const

  it('when it was written the first time, and when it was written anew', () => {
    expect(hear({ ...loading, hasText: false }, {})).toEqual(['progressNoteReady n'])
    expect(hear({}, loading, { progressNoteId: 'next', status: 'regenerated' })).toEqual([
      'progressNoteReady next',
    ])
  })

  it('and not after a magic edit that was refused or failed', () => {
    expect(hear({}, loading, {})).toEqual([])
    // Nor where the frame was opened only while it was under way.
    expect(hear(loading, {})).toEqual([])
  })

  it('once for each note, whatever a stream repeats or leaves out', () => {
    const next = { progressNoteId: 'next', status: 'regenerated' } as const
    const first = { ...loading, hasText: false }
    expect(hear(first, { etag: '1' }, first, { etag: '2' })).toEqual(['progressNoteReady n'])
    expect(hear({}, loading, { ...next, etag: '1' }, {}, loading, { ...next, etag: '2' })).toEqual([
      'progressNoteReady next',
    ])
    // It stood when the frame was opened.
    expect(hear({}, first, {})).toEqual([])
    expect(hear({}, next)).toEqual(['progressNoteReady next'])
    const signed = { status: 'finalized' } as const
    expect(hear(first, signed, first, { ...signed, etag: '2' })).toEqual(['noteFinalized n'])
  })
})
