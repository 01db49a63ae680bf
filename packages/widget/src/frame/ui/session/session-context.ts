import type { WidgetSession } from '@casenote/contract'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ClipPlayer } from './clip-player.js'
import type { SessionModel } from './session-model.js'

export interface OpenSession {
  model: SessionModel
  player: ClipPlayer
  /** Shows a line in the transcript's tab. */
  showLine: (index: number) => void
}

const SessionContext = createContext<OpenSession | null>(null)

export const SessionProvider = SessionContext.Provider

/** Of the session whose screen is open, once it is loaded. */
export function useSession(): OpenSession & { session: WidgetSession } {
  const open = useContext(SessionContext)
  const session = open?.model.session.value ?? null
  if (open === null || session === null) throw new Error('a component stands outside of its session')
  return { ...open, session }
}
