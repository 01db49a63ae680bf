import type { WidgetClinician } from '@casenote/contract'
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { clinicianOf, type Engine } from '../engine/engine.js'
import { makeTexts, type Texts } from '../texts/texts.js'

/** Where the clinician is. What is recorded goes on whatever is shown. */
export type View =
  | { name: 'home' }
  | { name: 'client'; clientId: string }
  | { name: 'recording' }
  /** What happened is typed, and nobody is recorded; or dictated, and only the clinician is. It goes on from the text of a session that failed, where there is one. */
  | { name: 'typing'; clientId: string; fromSessionId?: string; isDictated?: boolean }
  | { name: 'session'; sessionId: string }

/** Where what failed can be begun again. */
export interface LateClient {
  clientId: string
  name: string
}

export interface Ui {
  engine: Engine
  texts: ReadonlySignal<Texts>
  /** The page gave us the space of a stamp. */
  isCompact: ReadonlySignal<boolean>
  view: Signal<View>
  go: (view: View) => void
  /** Said once by screen readers, and gone after a while. `serial` tells the same words said twice apart. */
  announcement: Signal<{ text: string; serial: number }>
  announce: (text: string) => void
  /** What failed for this clinician after they had left the screen it was begun on. */
  late: Signal<{ clinicianId: string; error: unknown; of: LateClient | undefined } | null>
  /** Rises with each session that is seen on its way: whoever tells that one is ready looks for it. */
  begun: Signal<number>
  getClinician: () => WidgetClinician | null
}

/** Long enough for a slow voice; whoever walks over the screen later must not find it as if it were new. */
const announcedMs = 10_000

const UiContext = createContext<Ui | null>(null)

export const UiProvider = UiContext.Provider

export function makeUi(engine: Engine): Ui {
  const view = signal<View>({ name: 'home' })
  const announcement = signal({ text: '', serial: 0 })
  return {
    engine,
    texts: computed(() => makeTexts(toReference(engine.settings.value.patientReference))),
    isCompact: computed(() => {
      const { isMinifiedView, isMiniWidgetV2 } = engine.settings.value
      return isMinifiedView === true || isMiniWidgetV2 === true
    }),
    view,
    go: (next) => {
      view.value = next
    },
    announcement,
    announce: (text) => {
      const serial = announcement.peek().serial + 1
      announcement.value = { text, serial }
      setTimeout(() => {
        if (announcement.peek().serial === serial) announcement.value = { text: '', serial }
      }, announcedMs)
    },
    late: signal(null),
    begun: signal(0),
    getClinician: () => clinicianOf(engine.auth.value),
  }
}

export function useUi(): Ui {
  const ui = useContext(UiContext)
  if (ui === null) throw new Error('a component stands outside of the widget')
  return ui
}

export const useTexts = (): Texts => useUi().texts.value

/** Pages write `Patient`, `patient` or nothing. */
const toReference = (patientReference: string | undefined): string => {
  const word = patientReference?.trim() ?? ''
  return word === '' ? 'client' : word.toLowerCase()
}
