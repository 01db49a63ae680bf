import type { ProgressNote } from '@casenote/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
// oxlint-disable-next-line import/no-unassigned-import -- what follows asks for a page when it is loaded
import '../../../page-stand-in.js'
import { EngineError, type WidgetRequests } from '../../../../src/frame/engine/engine.js'
import { makeNoteEditor } from '../../../../src/frame/ui/open-session/note-editor.js'
import { keepsNothing } from './keeps-nothing.js'

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
  const editor = makeNoteEditor(api, 's', keepsNothing)
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
  await closed.editor.close().catch(() => {})
  await vi.advanceTimersByTimeAsync(60_000)
  expect(closed.sent).toHaveLength(2)
})

it('what is refused for another reason than a change is told, kept, and can be kept elsewhere', async () => {
  const full = new EngineError('At most 2000 versions', 409, {}, 'note_versions_full')
  const { editor, sent } = open([full])
  await editor.refresh()
  editor.edit('plan', 'Walk.')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(1)
  expect([editor.saveState.value, editor.saveFailure.value]).toEqual(['failed', full])
  expect(editor.refused.value).toEqual([{ key: 'plan', content: 'Walk.' }])
  expect(editor.sections.value[0]?.content).toBe('Walk.')
  editor.letGo()
  expect([editor.saveState.value, editor.sections.value[0]?.content]).toEqual(['saved', 'Rest.'])
  await editor.requireSaved()
})

it('where somebody else is faster each time it is tried again after a while', async () => {
  const changed = () => new EngineError('changed', 409, {}, 'note_changed')
  const { editor, sent } = open(Array.from({ length: 5 }, changed))
  await editor.refresh()
  editor.edit('plan', 'Walk.')
  await vi.advanceTimersByTimeAsync(2_000)
  expect([sent.length, editor.saveState.value, editor.refused.value]).toEqual([5, 'failed', null])
  await vi.advanceTimersByTimeAsync(5_000)
  expect([sent.length, editor.saveState.value]).toEqual([6, 'saved'])
})

it('what could not be saved as the note was closed is told of, and what could be is not', async () => {
  const { editor } = open([new EngineError('', 0)])
  await editor.refresh()
  editor.edit('plan', 'Walk.')
  await expect(editor.close()).rejects.toMatchObject({ status: 0 })
  const saved = open([])
  await saved.editor.refresh()
  saved.editor.edit('plan', 'Walk.')
  await saved.editor.close()
  expect(saved.sent).toEqual(['Walk.'])
})

it('what was typed while the tokens were gone is saved once there are new ones', async () => {
  const { editor, sent } = open([new EngineError('Please sign in again.', 401)])
  await editor.refresh()
  editor.edit('plan', 'Walk.')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(editor.saveState.value).toBe('failed')
  await vi.advanceTimersByTimeAsync(5_000)
  expect([sent.length, editor.saveState.value]).toEqual([2, 'saved'])
})

it.each([
  ['and typed on', 'Walk, and swim.'],
  ['and taken back', 'Rest.'],
])(
  'what was saved by a call whose answer was lost, %s, is in no conflict with itself',
  async (_then, text) => {
    let [saved, version] = ['Rest.', 1]
    const answers = ['lost', 'well']
    const api = {
      getTagged: async () => ({ body: noteOf(saved), etag: `${version}` }),
      sendTagged: async (
        _method: string,
        _path: string,
        patch: { note: { content: string }[] },
        headers: object,
      ) => {
        if (!Object.values(headers).includes(`${version}`)) throw new EngineError('changed', 409)
        saved = patch.note[0]?.content ?? ''
        version += 1
        if (answers.shift() === 'lost') throw new EngineError('', 0)
        return { body: noteOf(saved), etag: `${version}` }
      },
    } as unknown as WidgetRequests
    const editor = makeNoteEditor(api, 's', keepsNothing)
    await editor.refresh()
    editor.edit('plan', 'Walk.')
    await vi.advanceTimersByTimeAsync(2_000)
    expect([saved, editor.saveState.value]).toEqual(['Walk.', 'failed'])
    editor.edit('plan', text)
    await vi.advanceTimersByTimeAsync(10_000)
    expect([saved, editor.saveState.value, editor.conflicts.value]).toEqual([text, 'saved', []])
  },
)

it('what somebody else wrote meanwhile is in conflict all the same', async () => {
  const { editor } = open([new EngineError('', 0)])
  await editor.refresh()
  editor.edit('plan', 'Walk.')
  await vi.advanceTimersByTimeAsync(2_000)
  editor.show(noteOf('Swim.'))
  expect(editor.conflicts.value).toEqual([{ key: 'plan', theirs: 'Swim.', mine: 'Walk.' }])
})
