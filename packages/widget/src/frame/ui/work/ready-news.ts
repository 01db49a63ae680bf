import type { WidgetSession, WidgetWork } from '@casenote/contract'
import { effect, signal, type ReadonlySignal } from '@preact/signals'
import type { Engine } from '../../engine/engine.js'
import { attempt } from '../load.js'

/** Sessions that ended while the clinician was elsewhere, newest first. */
export interface ReadyNews {
  ended: ReadonlySignal<WidgetSession[]>
  dismiss: (sessionId: string) => void
  /** For what was begun since. */
  look: () => void
  stop: () => void
}

/** A browser has six connections to a host, and the page needs some: the rest comes when one of these has ended. */
const watchedMost = 2

/** More than are read at a glance; what is ready stands on home as well. */
const shownMost = 3

const isEnded = ({ stage, note }: WidgetSession): boolean =>
  stage === 'failed' || (stage === 'done' && !note.isLoading)

/** There is no text: the session failed, or its note could not be written. */
export const hasFailed = ({ stage, note }: WidgetSession): boolean =>
  stage === 'failed' || note.status === 'failed'

/** One whose recording never comes would hold a place for weeks; the end of sending looks again. */
const isFollowed = (session: WidgetSession): boolean =>
  !isEnded(session) && session.stage !== 'recording' && session.stage !== 'uploading'

interface Watch {
  stop: () => void
}

/** Follows what is under way, also what was begun elsewhere or before the page was loaded again. */
export function watchForReady(engine: Engine, onEnded: (session: WidgetSession) => void): ReadyNews {
  const ended = signal<WidgetSession[]>([])
  const watches = new Map<string, Watch>()
  /** Refused once: what is asked for again at once would be refused again at once. */
  const lost = new Set<string>()
  let isStopped = false

  const hear = (session: WidgetSession): void => {
    const watch = watches.get(session.sessionId)
    if (isStopped || watch === undefined) return
    if (!isEnded(session)) return
    watches.delete(session.sessionId)
    // A watch that is still being made cannot be stopped yet.
    queueMicrotask(() => {
      watch.stop()
      look()
    })
    // What the clinician put under the right client is no news to them.
    if (session.isWithdrawn) return
    const others = ended.peek().filter(({ sessionId }) => sessionId !== session.sessionId)
    ended.value = [session, ...others].slice(0, shownMost)
    onEnded(session)
  }

  const follow = (sessionId: string): void => {
    const one: Watch = { stop: () => {} }
    watches.set(sessionId, one)
    const watching = engine.api.watchSession(sessionId, hear, () => {
      lost.add(sessionId)
      if (watches.get(sessionId) !== one || isStopped) return
      watches.delete(sessionId)
      look()
    })
    one.stop = () => watching.stop()
  }

  /** The oldest first: they are done first. */
  const look = (): void =>
    attempt(
      async () => {
        const { data } = await engine.api.get<WidgetWork>('/sessions?state=underway&page=1')
        if (isStopped) return
        for (const { sessionId } of data.filter(isFollowed).toReversed()) {
          if (watches.size >= watchedMost) return
          if (!watches.has(sessionId) && !lost.has(sessionId)) follow(sessionId)
        }
      },
      // The next recording, or the next look at home, asks again.
      () => {},
    )

  let wasSending = -1
  const stopLooking = effect(() => {
    const now = engine.recorder.sending.value.length
    // With the first look, and with each recording that has arrived.
    if (wasSending === -1 || now < wasSending) look()
    wasSending = now
  })
  return {
    ended,
    look,
    dismiss: (sessionId) => {
      ended.value = ended.peek().filter((session) => session.sessionId !== sessionId)
    },
    stop: () => {
      isStopped = true
      stopLooking()
      for (const watch of watches.values()) watch.stop()
    },
  }
}
