import type { NoteRewriting, ProgressNote } from '@casenote/contract'
import { signal } from '@preact/signals'
import { describe, expect, it } from 'vitest'
// oxlint-disable-next-line import/no-unassigned-import -- what follows asks for a page when it is loaded
import '../../../page-stand-in.js'
import type { WidgetRequests } from '../../../../src/frame/engine/engine.js'
import type { KeptDraft } from '../../../../src/frame/ui/open-session/note-drafts.js'
import { makeNoteEditor } from '../../../../src/frame/ui/open-session/note-editor.js'
import { makeNoteRewriter, type NoteRewriter } from '../../../../src/frame/ui/open-session/note-rewriter.js'
import { keepsNothing } from './keeps-nothing.js'

const noteOf = (texts: Record<string, string>, changes: Partial<ProgressNote> = {}): ProgressNote =>
  ({
    progressNoteId: 'first',
    status: 'generated',
    isLoading: false,
    coSignature: null,
    note: Object.entries(texts).map(([key, content]) => ({ key, title: key, content, evidence: [] })),
    ...changes,
  }) as unknown as ProgressNote

const changeOf = (changes: Partial<NoteRewriting> = {}): NoteRewriting => ({
  generationId: 'edit',
  kind: 'magic_edit',
  versionBefore: 2,
  isOtherType: false,
  sections: [
    { key: 'objective', title: 'Objective', before: 'Calm.', after: 'Well.' },
    { key: 'plan', title: 'Plan', before: 'Lock the rifle.', after: 'Continue.' },
  ],
  gone: [],
  ...changes,
})

const texts = { subjective: 'Slept.', objective: 'Well.', plan: 'Continue.' }
const away = (): Promise<never> => Promise.reject(new Error('The service has a problem.'))

/** The session's calls, as the service would answer them; each can be put another way for a test. */
function open(start: ProgressNote, rewriting: NoteRewriting | null = null) {
  const service = {
    note: start,
    rewriting: async () => rewriting,
    read: async (): Promise<ProgressNote> => service.note,
    edits: [] as { userInstructions: string; failureReason: string | null }[],
  }
  const sent: [string, unknown][] = []
  const api = {
    get: async (path: string) =>
      path.endsWith('/rewriting') ? { rewriting: await service.rewriting() } : { data: service.edits },
    getTagged: async () => ({ body: await service.read(), etag: '' }),
    send: async (_: string, path: string, body: unknown) => {
      sent.push([path, body])
      return path.endsWith('/magic-edit') ? { ...service.note, isLoading: true } : service.note
    },
  } as unknown as WidgetRequests
  const editor = makeNoteEditor(api, 's', keepsNothing)
  let draft: KeptDraft | null = null
  const kept = {
    read: async () => draft,
    keep: (next: KeptDraft | null) => void (draft = next),
    isKept: signal(true),
    close: () => {},
  }
  /** Another screen of the same note, on the same device. */
  const openAgain = (): NoteRewriter => makeNoteRewriter(api, editor, '/note', kept)
  return { service, sent, editor, openAgain, readKept: () => draft, rewriter: openAgain() }
}

describe('the rewriting of a note', () => {
  it('ends for who asked for it, though the note could not be read right after it began', async () => {
    const { service, editor, rewriter } = open(noteOf(texts))
    await editor.refresh()
    rewriter.request.value = 'Shorten it.'
    service.read = away
    await rewriter.magicEdit()
    expect(rewriter.outcome.value.kind).toBe('working')
    // As the session's stream has it read.
    service.read = async () => noteOf(texts, { progressNoteId: 'next', status: 'regenerated' })
    await editor.refresh()
    await expect.poll(() => rewriter.outcome.value.kind).toBe('changed')
    expect(rewriter.request.value).toBe('')
  })

  it('keeps its words for who leaves the screen: as they were, with the reason of a refusal, or done with', async () => {
    const { service, editor, rewriter, openAgain, readKept } = open(noteOf(texts))
    await editor.refresh()
    rewriter.request.value = 'Make it rhyme.'
    rewriter.close()
    const second = openAgain()
    await expect.poll(() => second.request.value).toBe('Make it rhyme.')
    expect(second.outcome.value.kind).toBe('none')
    second.close()
    service.edits = [{ userInstructions: 'Make it rhyme.', failureReason: '“rhyme” was not understood.' }]
    const third = openAgain()
    await expect.poll(() => third.outcome.value.kind).toBe('failed')
    expect(third.outcome.value).toMatchObject({ reason: '“rhyme” was not understood.' })
    expect(third.request.value).toBe('Make it rhyme.')
    third.close()
    service.edits = [{ userInstructions: 'Make it rhyme.', failureReason: null }]
    const fourth = openAgain()
    await expect.poll(readKept, { message: 'it was done meanwhile' }).toBeNull()
    expect(fourth.request.value).toBe('')
    fourth.close()
  })

  it('is undone in the sections that it changed, and not in one that was kept and then typed into', async () => {
    const written = noteOf(texts, { status: 'regenerated' })
    const { service, sent, editor, rewriter } = open(written, changeOf())
    await editor.refresh()
    await expect.poll(() => rewriter.change.value).not.toBeNull()
    rewriter.keepSection('objective')
    await rewriter.undo()
    expect(sent.at(-1)).toEqual(['/note/restore', { version: 2, sectionKeys: ['objective', 'plan'] }])
    service.note = noteOf({ ...texts, objective: 'Well, and typed on.' }, { status: 'regenerated' })
    await editor.refresh()
    await rewriter.undo()
    expect(sent.at(-1)).toEqual(['/note/restore', { version: 2, sectionKeys: ['plan'] }])
  })

  it('into another type is undone as a whole', async () => {
    const change = changeOf({ kind: 'regeneration', isOtherType: true })
    const { sent, editor, rewriter } = open(noteOf(texts, { status: 'regenerated' }), change)
    await editor.refresh()
    await expect.poll(() => rewriter.change.value).not.toBeNull()
    await rewriter.undo()
    expect(sent.at(-1)).toEqual(['/note/restore', { version: 2 }])
  })
})

describe('what a rewriting changed', () => {
  it('is pending until the service answers, failed where it does not, and can be asked for again', async () => {
    const { service, editor, rewriter } = open(noteOf(texts, { status: 'regenerated' }), changeOf())
    const { rewriting } = service
    service.rewriting = away
    await editor.refresh()
    expect(rewriter.changeState.value).toBe('pending')
    await expect.poll(() => rewriter.changeState.value).toBe('failed')
    service.rewriting = rewriting
    await rewriter.lookAgain()
    expect([rewriter.changeState.value, rewriter.change.value]).toMatchObject([
      'known',
      { generationId: 'edit' },
    ])
  })

  it('is asked about again once the supervisor has returned the note under the same id', async () => {
    const { service, editor, rewriter } = open(noteOf(texts, { status: 'regenerated' }), changeOf())
    await editor.refresh()
    await expect.poll(() => rewriter.change.value).not.toBeNull()
    const { note } = service
    service.note = { ...note, coSignature: { state: 'awaited' } } as unknown as ProgressNote
    await rewriter.finalize({ openDangerReason: null, openDangerItemIds: [], expectsCoSignature: false })
    expect([rewriter.change.value, rewriter.changeState.value]).toEqual([null, 'known'])
    service.note = { ...note, coSignature: { state: 'returned' } } as unknown as ProgressNote
    await editor.refresh()
    await expect.poll(() => rewriter.change.value, { message: 'asked about again' }).not.toBeNull()
  })
})

it('a note whose text was struck, and not written again, has its sections to be written in', async () => {
  const template = {
    sections: [
      { key: 'subjective', title: 'Subjective' },
      { key: 'plan', title: 'Plan' },
    ],
  }
  const struck = noteOf({}, { status: 'failed', isEmptied: true, template } as Partial<ProgressNote>)
  const sent: unknown[] = []
  const api = {
    getTagged: async () => ({ body: struck, etag: 'struck' }),
    sendTagged: async (_: string, __: string, { note }: { note: ProgressNote['note'] }, headers: object) => {
      sent.push([note.map(({ key, content }) => [key, content]), headers])
      return { body: { ...struck, note, status: 'regenerated', isEmptied: false }, etag: 'written' }
    },
  } as unknown as WidgetRequests
  const editor = makeNoteEditor(api, 's', keepsNothing)
  await editor.refresh()
  expect(editor.sections.value).toMatchObject([
    { key: 'subjective', content: '' },
    { key: 'plan', content: '' },
  ])
  // Blanks are no words: the service would refuse them, and they must not stand in the way of writing again.
  editor.edit('plan', ' \n')
  await editor.flush()
  expect([sent, editor.saveState.value]).toEqual([[], 'saved'])
  editor.edit('plan', 'Call on Monday.')
  await editor.flush()
  expect(sent).toEqual([
    [
      [
        ['subjective', ''],
        ['plan', 'Call on Monday.'],
      ],
      { 'If-Match': 'struck' },
    ],
  ])
})
