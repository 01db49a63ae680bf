import type { NoteType, WidgetClient } from '@casenote/contract'
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLoad } from '../load.js'
import { Later } from '../parts/later.js'

/** With the session's screen, which is loaded as soon as the first screen stands. */
const load = () => import('../loaded-later.js')

export const LazyWorkList = (of: { name: string }) => (
  <Later load={load} show={({ WorkList }) => <WorkList {...of} />} />
)

export const LazyWaitingForMe = () => (
  <Later load={load} pending={null} show={({ WaitingForMe }) => <WaitingForMe />} />
)

/** What cannot be loaded is asked for again, with a message, by the screens that need it. */
function Soon({ show }: { show: (loaded: Awaited<ReturnType<typeof load>>) => JSX.Element }) {
  const { result } = useLoad(load, [])
  return result.value.state === 'loaded' ? show(result.value.value) : null
}

export const LazyClientAssessments = (of: { clientId: string }) => (
  <Soon show={({ ClientAssessments }) => <ClientAssessments {...of} />} />
)

export const LazyReadyNotices = () => <Soon show={({ ReadyNotices }) => <ReadyNotices />} />

export const LazyBeforeSession = (of: { clientId: string; isArchived: boolean }) => (
  <Soon show={({ BeforeSession }) => <BeforeSession {...of} />} />
)

export const LazyClientConsents = (of: { clientId: string; onChange: (client: WidgetClient) => void }) => (
  <Soon show={({ ClientConsents }) => <ClientConsents {...of} />} />
)

export const LazyFormPad = (of: {
  clientId: string
  text: Signal<string>
  noteType: NoteType
  value: Signal<string>
  language: string
  spoken: Signal<string | null>
}) => <Soon show={({ FormPad }) => <FormPad {...of} />} />
