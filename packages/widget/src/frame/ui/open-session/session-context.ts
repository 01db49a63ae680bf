import type { NoteSection, WidgetSession } from '@casenote/contract'
import type { Signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { DangerList } from '../danger/danger-list.js'
import type { ClipPlayer } from './clip-player.js'
import type { SessionModel } from './session-model.js'

export interface AskedLines {
  lines: readonly number[]
  goBack: () => void
}

/** The sentence of the note whose grounds are shown: the part `index` of the section `key`. */
export interface ChosenSentence {
  key: string
  index: number
  evidence: NoteSection['evidence'][number]
}

export interface OpenSession {
  model: SessionModel
  player: ClipPlayer
  /** What is open about danger of the session's client, against its note. */
  danger: DangerList
  chosen: Signal<ChosenSentence | null>
  /** Shows lines in the transcript's tab; `from`, a selector, is where the way back leads. */
  showLines: (lines: readonly number[], from: string) => void
  /** Null where nobody asked for lines. */
  asked: AskedLines | null
}

const SessionContext = createContext<OpenSession | null>(null)

export const SessionProvider = SessionContext.Provider

/** What is known of the session whose screen is open, once it is loaded. */
export function useSession(): OpenSession & { session: WidgetSession } {
  const open = useContext(SessionContext)
  const session = open?.model.session.value ?? null
  if (open === null || session === null) throw new Error('a component stands outside of its session')
  return { ...open, session }
}
