import type { WidgetSession, WidgetTypedSession } from '@casenote/contract'
import type { ReadonlySignal } from '@preact/signals'
import { EngineError, type Engine } from '../../engine/engine.js'
import { newId } from '../../engine/new-id.js'
import { makeNoteDrafts } from '../open-session/note-drafts.js'
import { typedPlace } from '../open-session/draft-rows.js'
import { makeTextDraft, type Draft } from './text-draft.js'

/** The draft itself first. */
const toRows = ({ id, text, former }: Draft): [string, string][] => [
  [id, text],
  ...former.map((one): [string, string] => ['former', one]),
]

/** What is being typed about a session of one client: kept on this device until the service has it. */
export interface TypedDraft {
  text: ReadonlySignal<string>
  /** False: in this tab alone. */
  isKept: ReadonlySignal<boolean>
  write: (text: string) => void
  /** Beside whatever was typed already. */
  add: (text: string) => Promise<void>
  /**
   * Rejects where it cannot be sent; what was typed stays. Sent again it is the same session; where the service has that session
   * with another text it says so, and what is sent then is another one.
   */
  send: (given: Omit<WidgetTypedSession, 'text' | 'recordingId'>) => Promise<WidgetSession>
  close: () => void
}

export function makeTypedDraft(engine: Engine, clientId: string): TypedDraft {
  const kept = makeNoteDrafts(engine, typedPlace(clientId))
  const { text, write, add, send } = makeTextDraft<WidgetSession>({
    read: async () => {
      const [left, ...former] = (await kept.read())?.drafts ?? []
      return left === undefined ? null : { id: left[0], text: left[1], former: former.map(([, one]) => one) }
    },
    keep: (draft) => kept.keep(draft === null ? null : { base: [], drafts: toRows(draft) }),
    newId,
    isOtherText: (error) => error instanceof EngineError && error.status === 409,
  })
  return {
    text,
    isKept: kept.isKept,
    write,
    add,
    send: (given) =>
      send(({ id: recordingId, text: typed }) => {
        const body: WidgetTypedSession = { ...given, recordingId, text: typed }
        return engine.api.send<WidgetSession>(
          'POST',
          `/clients/${encodeURIComponent(clientId)}/typed-sessions`,
          body,
        )
      }),
    close: () => kept.close(),
  }
}
