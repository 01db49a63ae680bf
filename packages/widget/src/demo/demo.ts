// oxlint-disable-next-line import/no-unassigned-import -- a style exports nothing
import './demo.css'
import type { CopiedNote, EventDetail, NoteContext, WidgetSettings } from '../protocol.js'
import { buildPage, type DemoClient, type VisitState } from './build-page.js'

/** What the widget's script puts into the page; a partner's page needs no types. */
interface Widget {
  authenticate(tokens: unknown): void
  selectClient(clientId: string, options?: object): void
  onCopyNoteClicked(listener: (copied: CopiedNote, of: NoteContext) => void): void
  on(event: string, listener: (detail: EventDetail) => void): void
  logout(): void
}
declare global {
  interface Window {
    Casenote: Widget
    casenoteSettings: WidgetSettings
  }
}

// 1. Settings, before the widget's script runs.
window.casenoteSettings = { containerId: 'widget', copyNoteButtonText: 'Copy to chart', height: '100%' }

/** The EHR's own server; the widget never talks to it. */
async function askBackend<Answer>(method: 'GET' | 'POST', path: string): Promise<Answer> {
  const answer = await fetch(path, { method, headers: { 'x-demo': '1' } })
  if (!answer.ok) throw new Error(`the demo's backend answered ${answer.status}`)
  return (await answer.json()) as Answer
}

const events = [
  'ready',
  'recordingStarted',
  'recordingStopped',
  'progressNoteReady',
  'noteFinalized',
  'noteWithdrawn',
  'authenticationRequired',
  'error',
]

interface NamedCopy {
  progressNoteId: string
  /** Null: no chart was open, and the note went to its own client's. */
  chartClientId: string | null
}

/** What the day list shows of them. */
const visitStates: Record<string, VisitState> = {
  recordingStarted: 'recording',
  recordingStopped: 'writing',
  progressNoteReady: 'ready',
  noteFinalized: 'signed',
}

const page = buildPage({
  onOpen: ({ id, appointmentId }) => {
    // 3. A client: opens a new session for them.
    window.Casenote.selectClient(id, { sessionExternalId: appointmentId })
  },
  onSignOut: () => window.Casenote.logout(),
  onSignIn: () => void signIn(),
})

async function signIn(): Promise<void> {
  // 2. Tokens that the EHR's server minted for the clinician who is signed in there: passed on as they are.
  window.Casenote.authenticate(await askBackend('POST', '/demo/tokens'))
}

// The widget's script stands below this one; both are deferred, so it has run by now.
addEventListener('DOMContentLoaded', () => {
  for (const event of events) {
    window.Casenote.on(event, (detail) => {
      page.log(event, detail)
      const state = visitStates[event]
      const { clientId, isDiscarded } = detail
      if (state === undefined || typeof clientId !== 'string') return
      page.mark(clientId, isDiscarded === true ? null : state)
    })
  }
  window.Casenote.on('authenticationRequired', () => void signIn())
  window.Casenote.onCopyNoteClicked(({ note }, { clientId, sessionExternalId, progressNoteId }) => {
    page.paste({ note, clientId, progressNoteId })
    page.log('onCopyNoteClicked', { clientId, sessionExternalId })
  })
  // 4. A recording was another client's: what was copied of it is taken out of the charts that it went into.
  window.Casenote.on('noteWithdrawn', ({ copies, clientId }) => {
    if (typeof clientId === 'string') page.mark(clientId, null)
    for (const { chartClientId, progressNoteId } of copies as NamedCopy[]) {
      page.takeOut(chartClientId ?? String(clientId), progressNoteId)
    }
  })
  void signIn()
  void askBackend<DemoClient[]>('GET', '/demo/clients').then((clients) => page.list(clients))
})
