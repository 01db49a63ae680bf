import { afterEach, beforeEach, expect, it, vi } from 'vitest'
// oxlint-disable-next-line import/no-unassigned-import -- what follows asks for a page when it is loaded
import '../../../page-stand-in.js'
import { makeStageDrafts, stageVault } from '../../../../dev/stage-drafts.js'
import type { DraftRows } from '../../../../src/frame/engine/engine.js'
import type { DraftRow } from '../../../../src/frame/ui/open-session/draft-rows.js'
import { makeNoteDrafts, type KeptDraft } from '../../../../src/frame/ui/open-session/note-drafts.js'

/** As browsers grant locks: to one at a time, to the others in turn. */
class Locks {
  readonly #waiting = new Map<string, Promise<unknown>>()

  async request(
    name: string,
    { ifAvailable = false, signal }: { ifAvailable?: boolean; signal?: AbortSignal },
    work: (lock: object | null) => Promise<unknown>,
  ): Promise<unknown> {
    const before = this.#waiting.get(name)
    if (before !== undefined && ifAvailable) return work(null)
    if (before !== undefined) await before
    signal?.throwIfAborted()
    const held = Promise.resolve(work({})).finally(() => this.#waiting.delete(name))
    this.#waiting.set(name, held)
    return held
  }
}

const draftOf = (text: string): KeptDraft => ({ base: [], drafts: [['id', text]] })

/** Whether the tab asks before it is closed. */
const asks = (): boolean => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }))

let page: EventTarget
let store: DraftRows

/** In a tab of its own, unless `vault` says which. */
const open = (rows: DraftRows | null = store, vault = { ...stageVault }) =>
  makeNoteDrafts({ store: rows, getVault: () => vault, getServedAtMs: () => servedAtMs }, 'typed/client')

const dayMs = 86_400_000
let servedAtMs: number | null

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

const readKept = async (): Promise<string | undefined> => {
  const [row] = await store.list<{ sealed: { data: ArrayBuffer } }>('drafts')
  if (row === undefined) return undefined
  return (JSON.parse(new TextDecoder().decode(row.sealed.data)) as KeptDraft).drafts[0]?.[1]
}

beforeEach(() => {
  page = new EventTarget()
  store = makeStageDrafts()
  servedAtMs = Date.UTC(2026, 10, 15)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('navigator', { locks: new Locks() })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

it('a second tab says that it keeps nothing, asks before it is closed, and keeps its text once the first is closed', async () => {
  const first = open()
  const second = open()
  expect(await second.read()).toBeNull()
  await settle()
  expect([first.isKept.value, second.isKept.value, asks()]).toEqual([true, false, false])
  second.keep(draftOf('of the second tab'))
  await settle()
  expect([await readKept(), asks()]).toEqual([undefined, true])
  first.close()
  await settle()
  expect([await readKept(), second.isKept.value, asks()]).toEqual(['of the second tab', true, false])
})

it('a second tab writes nothing over what the first one left', async () => {
  const first = open()
  const second = open()
  first.keep(draftOf('of the first tab'))
  second.keep(draftOf('of the second tab'))
  await settle()
  first.close()
  await settle()
  expect([await readKept(), second.isKept.value, asks()]).toEqual(['of the first tab', false, true])
  second.close()
  expect(asks()).toBe(false)
  expect((await open().read())?.drafts[0]?.[1]).toBe('of the first tab')
})

it.each([
  ['no storage', () => null],
  [
    'a full disk',
    () => ({ ...makeStageDrafts(), put: () => Promise.reject(new DOMException('', 'QuotaExceededError')) }),
  ],
])('with %s nothing is said to be kept', async (_why, makeRows) => {
  const drafts = open(makeRows())
  drafts.keep(draftOf('typed'))
  await settle()
  expect([drafts.isKept.value, asks()]).toEqual([false, true])
  drafts.keep(null)
  expect(asks()).toBe(false)
})

it.each([
  ['far ahead', Date.UTC(2046, 0, 1)],
  ['far behind', Date.UTC(1990, 0, 1)],
])(
  'a clock that stood %s ends nothing; after thirty days by the service’s clock it is gone',
  async (_how, atMs) => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(atMs)
    const before = open()
    before.keep(draftOf('typed'))
    await vi.waitFor(async () => expect(await readKept()).toBe('typed'))
    before.close()
    await settle()
    clock.mockRestore()
    const after = open()
    expect((await after.read())?.drafts[0]?.[1]).toBe('typed')
    after.close()
    await settle()
    servedAtMs = Date.UTC(2026, 10, 15) + 31 * dayMs
    expect(await open().read()).toBeNull()
  },
)

it('what an earlier version kept, by a clock that nobody knows, is kept for thirty days more', async () => {
  const first = open()
  first.keep(draftOf('typed'))
  await vi.waitFor(async () => expect(await readKept()).toBe('typed'))
  first.close()
  await settle()
  await store.sweep<DraftRow>('drafts', ({ draftId, sealed }) => ({ draftId, sealed, keptAtMs: 0 }))
  servedAtMs = null
  const offline = open()
  expect(await offline.read()).not.toBeNull()
  offline.close()
  await settle()
  servedAtMs = Date.UTC(2026, 10, 15)
  const seen = open()
  expect(await seen.read()).not.toBeNull()
  seen.close()
  await settle()
  servedAtMs += 31 * dayMs
  expect(await open().read()).toBeNull()
})

it('what could not be kept is there again for who comes back in the same tab, and is over with their sign-in', async () => {
  const tab = { ...stageVault }
  const left = open(null, tab)
  left.keep(draftOf('typed'))
  left.close()
  expect((await open(null, tab).read())?.drafts[0]?.[1]).toBe('typed')
  const saved = open(null, tab)
  saved.keep(draftOf('typed'))
  saved.close()
  // On its way as it was left, it has arrived.
  saved.keep(null)
  expect(await open(null, tab).read()).toBeNull()
  const other = open(null, tab)
  other.keep(draftOf('typed'))
  other.close()
  expect(await open(null).read()).toBeNull()
})
