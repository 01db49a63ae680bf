import { factsOf, type Facts } from './example-facts.js'
import { make, makeTabs, type Tabs } from './make-parts.js'

/** The example EHR around the widget. Nothing here is needed to embed it. */
export interface DemoClient {
  id: string
  firstName: string | null
  lastName: string
  dateOfBirth: string
}

interface Actions {
  onOpen: (client: { id: string; appointmentId: string }) => void
  onSignOut: () => void
  onSignIn: () => void
}

/** What the day list says of a visit. */
export type VisitState = 'recording' | 'writing' | 'ready' | 'copied' | 'signed'

interface DemoPage {
  list(clients: readonly DemoClient[]): void
  /**
   * Into the chart that is open, under its client's name where that is somebody else: the widget has asked. Where none is open,
   * into the chart of the note's client.
   */
  paste(copied: CopiedInto): void
  /** This note, out of this client's chart, open or not. */
  takeOut(chartClientId: string, progressNoteId: string): void
  mark(clientId: string, state: VisitState | null): void
  log(event: string, detail: Record<string, unknown>): void
}

interface CopiedInto {
  note: string
  progressNoteId: string
  clientId: string
}

const stateWords: Record<VisitState, string> = {
  recording: 'Recording',
  writing: 'Being written',
  ready: 'Note ready',
  copied: 'In the chart',
  signed: 'Signed',
}

/** On a phone one of them is shown at a time. */
type Panel = 'day' | 'chart' | 'scribe'

const panelNames: Record<Panel, string> = { day: 'Day', chart: 'Chart', scribe: 'Scribe' }

export function buildPage({ onOpen, onSignOut, onSignIn }: Actions): DemoPage {
  const clients = make('ul', { className: 'clients' })
  const events = make('ol', { className: 'events' })
  const chart = buildChart()
  const show = buildPanels()
  const marks = new Map<string, HTMLElement>()
  const names = new Map<string, string>()
  const signOut = make('button', { type: 'button', onclick: onSignOut }, ['Sign out'])
  // The page signs in by itself when it is opened.
  const signIn = make('button', { type: 'button', onclick: onSignIn, hidden: true }, ['Sign in'])
  for (const [pressed, other] of [
    [signOut, signIn],
    [signIn, signOut],
  ] as const) {
    pressed.addEventListener('click', () => {
      pressed.hidden = true
      other.hidden = false
      other.focus()
    })
  }
  // The script is deferred: the body is there, and the widget's script, which looks for its place, comes next.
  document.body.prepend(
    make('header', {}, [
      make('h1', {}, ['Riverside Clinic']),
      make('span', {}, ['Example EHR: a page on another site, with the widget in it']),
      make('nav', {}, [signIn, signOut]),
    ]),
    make('main', {}, [
      make('section', { className: 'day' }, [
        make('h2', {}, ['Today']),
        make('p', {}, [new Date().toLocaleDateString(undefined, { dateStyle: 'full' })]),
        make('p', { className: 'hint' }, ['Choose a client to begin the visit.']),
        clients,
      ]),
      make('section', { className: 'chart' }, [
        chart.element,
        make('details', {}, [make('summary', {}, ['For developers: what this page hears']), events]),
      ]),
      make('section', { className: 'scribe', id: 'widget' }),
    ]),
  )
  signOut.addEventListener('click', () => {
    chart.close('Signed out')
    for (const mark of marks.values()) mark.textContent = ''
    for (const row of clients.querySelectorAll('button')) row.removeAttribute('aria-current')
  })
  const open = (client: DemoClient, visit: Visit, button: HTMLButtonElement): void => {
    for (const other of clients.querySelectorAll('button')) other.removeAttribute('aria-current')
    button.setAttribute('aria-current', 'true')
    chart.open(client, visit)
    onOpen({ id: client.id, appointmentId: `appointment-${visit.time.replace(':', '')}` })
    show('scribe')
  }
  const mark = (clientId: string, state: VisitState | null): void => {
    const place = marks.get(clientId)
    if (place === undefined) return
    place.textContent = state === null ? '' : stateWords[state]
    place.dataset['state'] = state ?? ''
  }
  return {
    list: (all) => {
      const rows = all.map((client, index) => {
        const visit = toVisit(index)
        const state = make('span', { className: 'mark' })
        marks.set(client.id, state)
        names.set(client.id, nameOf(client))
        const button = make('button', { type: 'button' }, [
          make('span', { className: 'time' }, [visit.time]),
          make('span', { className: 'who' }, [
            nameOf(client),
            make('span', { className: 'reason' }, [visit.facts.visit]),
            state,
          ]),
        ])
        button.addEventListener('click', () => open(client, visit, button))
        return make('li', {}, [button])
      })
      clients.replaceChildren(...rows)
    },
    paste: (copied) => {
      const { isShown, isOwn } = chart.paste(copied, names.get(copied.clientId) ?? 'another client')
      if (isShown) show('chart')
      if (isOwn) mark(copied.clientId, 'copied')
    },
    takeOut: (chartClientId, progressNoteId) => chart.takeOut(chartClientId, progressNoteId),
    mark,
    log: (event, detail) => {
      const said = Object.entries(detail).map(
        ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      )
      events.prepend(make('li', {}, [make('code', {}, [event]), ` ${said.join(', ')}`]))
    },
  }
}

interface Visit {
  time: string
  facts: Facts
}

const toVisit = (index: number): Visit => ({
  time: `${9 + Math.floor(index / 2)}:${index % 2 === 0 ? '00' : '30'}`,
  facts: factsOf(index),
})

/** The bar of a phone. Wider pages show everything, and no bar. */
function buildPanels(): (panel: Panel) => void {
  const buttons = (Object.keys(panelNames) as Panel[]).map((panel) => {
    const button = make('button', { type: 'button', onclick: () => show(panel) }, [panelNames[panel]])
    return { panel, button }
  })
  const show = (shown: Panel): void => {
    document.body.dataset['panel'] = shown
    for (const { panel, button } of buttons)
      button.setAttribute('aria-current', panel === shown ? 'page' : 'false')
  }
  const bar = make('nav', { className: 'panels', ariaLabel: 'Parts of the page' })
  bar.append(...buttons.map(({ button }) => button))
  document.body.append(bar)
  show('day')
  return show
}

interface Chart {
  element: HTMLElement
  open(client: DemoClient, visit: Visit): void
  close(title: string): void
  /** Into the chart of the note's own client, or another's; not shown where none is open. */
  paste(copied: CopiedInto, name: string): { isShown: boolean; isOwn: boolean }
  takeOut(chartClientId: string, progressNoteId: string): void
}

/** What stands in a chart: the client's own note, which can be typed on, and notes of others that were put there knowingly. */
interface ChartNotes {
  own: string
  ownNoteId: string | null
  others: Map<string, { name: string; note: string }>
}

const emptyNotes = (): ChartNotes => ({ own: '', ownNoteId: null, others: new Map() })

const toOther = ({ name, note }: { name: string; note: string }): HTMLElement => {
  const title = `Note of ${name}, copied into this chart`
  return make('section', {}, [
    make('h3', {}, [title]),
    make('textarea', { readOnly: true, rows: 6, value: note, ariaLabel: title }),
  ])
}

/** Each client has a chart of their own: what stands in one is never seen in the next. */
function buildChart(): Chart {
  const note = make('textarea', { id: 'note', rows: 14, placeholder: 'The copied note appears here.' })
  const title = make('h2', {}, ['Choose a client'])
  const about = make('p', { className: 'about' })
  const face = make('span', { className: 'face', ariaHidden: 'true' })
  const overview = make('div', { className: 'facts' })
  const history = make('div', { className: 'facts' })
  const others = make('div', { className: 'others' })
  const tabs: Tabs = makeTabs('Chart', [
    { title: 'Overview', content: [overview] },
    { title: 'Notes', content: [make('label', { htmlFor: 'note' }, ['Chart note']), note, others] },
    { title: 'History', content: [history] },
  ])
  const steps = make('ol', { className: 'steps' }, [
    make('li', {}, ['Choose a client in today’s list.']),
    make('li', {}, ['Record the visit in the scribe, beside the chart.']),
    make('li', {}, ['Read the note, copy it into the chart, sign it.']),
  ])
  const element = make('div', { className: 'record' }, [
    make('div', { className: 'banner' }, [face, make('div', {}, [title, about])]),
    steps,
    tabs.element,
  ])
  const notes = new Map<string, ChartNotes>()
  const notesOf = (clientId: string): ChartNotes => {
    const found = notes.get(clientId) ?? emptyNotes()
    notes.set(clientId, found)
    return found
  }
  let openId: string | null = null
  const draw = (): void => {
    const { own, others: copied } = openId === null ? emptyNotes() : notesOf(openId)
    note.value = own
    others.replaceChildren(...[...copied.values()].map(toOther))
  }
  note.addEventListener('input', () => {
    if (openId !== null) notesOf(openId).own = note.value
  })
  const turnTo = (clientId: string | null): void => {
    openId = clientId
    draw()
    steps.hidden = clientId !== null
    tabs.element.hidden = clientId === null
    face.hidden = clientId === null
  }
  turnTo(null)
  return {
    element,
    open: (client, { time, facts }) => {
      turnTo(client.id)
      tabs.select(0)
      title.textContent = nameOf(client)
      face.textContent = `${client.firstName?.charAt(0) ?? ''}${client.lastName.charAt(0)}`
      about.textContent = `Born ${client.dateOfBirth} · ${time}, ${facts.visit}`
      overview.replaceChildren(...facts.overview.map(toFact))
      history.replaceChildren(...facts.history.map(toFact))
    },
    close: (words) => {
      turnTo(null)
      notes.clear()
      title.textContent = words
      about.textContent = ''
    },
    paste: ({ note: text, progressNoteId, clientId }, name) => {
      const kept = notesOf(openId ?? clientId)
      const [isShown, isOwn] = [openId !== null, openId === null || openId === clientId]
      if (isOwn) Object.assign(kept, { own: text, ownNoteId: progressNoteId })
      else kept.others.set(progressNoteId, { name, note: text })
      draw()
      tabs.select(1)
      if (isShown) note.focus()
      return { isShown, isOwn }
    },
    takeOut: (chartClientId, progressNoteId) => {
      const kept = notesOf(chartClientId)
      kept.others.delete(progressNoteId)
      if (kept.ownNoteId === progressNoteId) Object.assign(kept, { own: '', ownNoteId: null })
      draw()
    },
  }
}

const toFact = ([name, said]: readonly [string, string]): HTMLElement =>
  make('section', {}, [make('h3', {}, [name]), make('p', {}, [said])])

const nameOf = ({ firstName, lastName }: DemoClient): string =>
  firstName === null ? lastName : `${firstName} ${lastName}`
