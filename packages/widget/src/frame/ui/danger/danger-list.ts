import type { DangerItem, OpenDanger, ReviewItem } from '@casenote/contract'
import { signal, type ReadonlySignal } from '@preact/signals'
import { EngineError, type WidgetRequests } from '../../engine/engine.js'

/** A read is repeated until there is an answer; from then on it is said that there is none. */
const lateMs = 3_000

/** What is open about danger, of all clients, of one, or beside a note. */
export interface DangerList {
  danger: ReadonlySignal<OpenDanger | null>
  /** Null unless the last loading failed, or has no answer yet; what was known before stays. */
  failure: ReadonlySignal<unknown>
  load: () => Promise<void>
  see: (items: readonly DangerItem[]) => Promise<void>
  close: (item: DangerItem, reason: string) => Promise<void>
}

export function makeDangerList(api: WidgetRequests, path: string): DangerList {
  const danger = signal<OpenDanger | null>(null)
  const failure = signal<unknown>(null)
  let loads = 0
  const load = async (): Promise<void> => {
    loads += 1
    const own = loads
    const fail = (error: unknown): void => {
      if (own === loads) failure.value = error
    }
    const timer = setTimeout(() => fail(new EngineError('', 0)), lateMs)
    try {
      const answered = await api.get<OpenDanger>(path)
      // A later question gets a newer answer.
      if (own !== loads) return
      danger.value = answered
      failure.value = null
    } catch (error) {
      fail(error)
    } finally {
      clearTimeout(timer)
    }
  }
  const change = async (call: string, clientId: string, body: object): Promise<void> => {
    await api.send('POST', `/clients/${encodeURIComponent(clientId)}/danger/${call}`, body)
    await load()
  }
  return {
    danger,
    failure,
    load,
    see: async (items) => {
      const clientIds = new Set(items.map(({ client }) => client.id))
      for (const clientId of clientIds) {
        const itemIds = items.filter(({ client }) => client.id === clientId).map(({ id }) => id)
        await change('seen', clientId, { itemIds })
      }
    },
    close: ({ id, client }, reason) => change('close', client.id, { itemIds: [id], reason }),
  }
}

/** What keeps the note from being signed without a word. */
export const listMissing = ({ danger }: DangerList): DangerItem[] =>
  (danger.value?.items ?? []).filter(({ standing }) => standing === 'not_in_note')

/** What the strip shows as missing needs no second line, nor what was closed; that the note says otherwise does. */
export const withoutShown = (review: readonly ReviewItem[], list: DangerList): ReviewItem[] => {
  const closed = list.danger.value?.closedWords ?? []
  const shown = new Set([...listMissing(list).map(({ words }) => words), ...closed])
  return review.filter(
    ({ kind, words, reason }) => kind !== 'danger' || reason === 'contradicted' || !shown.has(words),
  )
}
