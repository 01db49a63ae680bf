import type { ProgressNote } from '@casenote/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
// oxlint-disable-next-line import/no-unassigned-import -- what follows asks for a page when it is loaded
import '../../../page-stand-in.js'
import { EngineError, type WidgetRequests } from '../../../../src/frame/engine/engine.js'
import { makeNoteEditor } from '../../../../src/frame/ui/open-session/note-editor.js'

const noteOf = (content: string): ProgressNote =>
  ({
    status: 'generated',
    isLoading: false,
    coSignature: null,
    note: [{ key: 'plan', title: 'Plan', content, evidence: [] }],
  }) as unknown as ProgressNote

/** An editor whose saves are answered by what `answers` has, then well. */
function open(answers: EngineError[]) {
  const sent: string[] = []
  const api = {
    getTagged: async () => ({ body: noteOf('Rest.'), etag: '1' }),
    sendTagged: async (_method: string, _path: string, patch: { note: { content: string }[] }) => {
      const content = patch.note[0]?.content ?? ''
      sent.push(content)
      const refused = answers.shift()
      if (refused !== undefined) throw refused
      return { body: noteOf(content), etag: '2' }
    },
  } as unknown as WidgetRequests
  const editor = makeNoteEditor(api, 's', { read: async () => null, keep: () => {}, close: () => {} })
  return { editor, sent }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('what a busy service did not take is sent again by itself until it is taken', async () => {
  const { editor, sent } = open([new EngineError('busy', 503), new EngineError('no answer', 0)])
  await editor.refresh()
  editor.edit('plan', 'Rest, and walk.')
  await vi.advanceTimersByTimeAsync(2_000)
  expect([sent.length, editor.saveState.value]).toEqual([1, 'failed'])
  await vi.advanceTimersByTimeAsync(5_000)
  expect([sent.length, editor.saveState.value]).toEqual([2, 'failed'])
  await vi.advanceTimersByTimeAsync(5_000)
  expect([sent.length, editor.saveState.value]).toEqual([3, 'saved'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(3)
})

it('what was refused for good, or in a note that is closed, is not', async () => {
  const refused = open([new EngineError('not yours', 404)])
  await refused.editor.refresh()
  refused.editor.edit('plan', 'Walk.')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(refused.sent).toHaveLength(1)
  const closed = open([new EngineError('busy', 503), new EngineError('busy', 503)])
  await closed.editor.refresh()
  closed.editor.edit('plan', 'Walk.')
  await vi.advanceTimersByTimeAsync(2_000)
  closed.editor.close()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(closed.sent).toHaveLength(2)
})
