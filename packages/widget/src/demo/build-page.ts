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

interface DemoPage {
  list(clients: readonly DemoClient[]): void
  /** Into the chart that is open: the widget has asked where that is another client's than the note. */
  paste(note: string): void
  /** Out of this client's chart, open or not. */
  takeOut(clientId: string): void
  log(event: string, detail: Record<string, unknown>): void
}

type Content = (Node | string)[]

/** Properties, never markup: the page's policy allows no other way. */
function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  content: Content = [],
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...content)
  return element
}

export function buildPage({ onOpen, onSignOut, onSignIn }: Actions): DemoPage {
  const clients = make('ul', { className: 'clients' })
  const chart = make('textarea', { id: 'chart', rows: 12, placeholder: 'The copied note appears here.' })
  const events = make('ol', { className: 'events' })
  const title = make('h2', {}, ['Choose a client'])
  const details = make('p', {}, ['Today’s appointments are on the left.'])
  const signOut = make('button', { type: 'button', onclick: onSignOut }, ['Sign out'])
  const signIn = make('button', { type: 'button', onclick: onSignIn }, ['Sign in'])
  const build = (): void => {
    document.body.append(
      make('header', {}, [
        make('h1', {}, ['Example EHR']),
        make('span', {}, ['a partner’s page on another site, with the widget in it']),
        make('nav', {}, [signIn, signOut]),
      ]),
      make('main', {}, [
        make('section', { className: 'list' }, [make('h2', {}, ['Today']), clients]),
        make('section', { className: 'visit' }, [
          title,
          details,
          make('label', { htmlFor: 'chart' }, ['Chart note']),
          chart,
          make('h2', {}, ['What the page hears from the widget']),
          events,
        ]),
        make('section', { className: 'place', id: 'widget' }),
      ]),
    )
  }
  // The script is deferred: the body is there, and the widget's script, which looks for its place, comes next.
  build()
  const charts = new Map<string, string>()
  let openId: string | null = null
  /** Each client has a chart of their own: what stands in one is never seen in the next. */
  const openChart = (clientId: string | null): void => {
    if (openId !== null) charts.set(openId, chart.value)
    openId = clientId
    chart.value = charts.get(clientId ?? '') ?? ''
    chart.disabled = clientId === null
  }
  openChart(null)
  signOut.addEventListener('click', () => {
    openChart(null)
    charts.clear()
    title.textContent = 'Signed out'
    details.textContent = ''
  })
  const open = (client: DemoClient, time: string, button: HTMLButtonElement): void => {
    for (const other of clients.querySelectorAll('button')) other.removeAttribute('aria-current')
    button.setAttribute('aria-current', 'true')
    openChart(client.id)
    title.textContent = nameOf(client)
    details.textContent = `Born ${client.dateOfBirth} · appointment at ${time}`
    onOpen({ id: client.id, appointmentId: `appointment-${time.replace(':', '')}` })
  }
  return {
    list: (all) => {
      const rows = all.map((client, index) => {
        const time = `${9 + Math.floor(index / 2)}:${index % 2 === 0 ? '00' : '30'}`
        const button = make('button', { type: 'button' }, [
          make('span', { className: 'time' }, [time]),
          make('span', {}, [nameOf(client)]),
        ])
        button.addEventListener('click', () => open(client, time, button))
        return make('li', {}, [button])
      })
      clients.replaceChildren(...rows)
    },
    paste: (note) => {
      chart.value = note
      chart.focus()
    },
    takeOut: (clientId) => {
      charts.delete(clientId)
      if (openId === clientId) chart.value = ''
    },
    log: (event, detail) => {
      const said = Object.entries(detail).map(
        ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      )
      events.prepend(make('li', {}, [make('code', {}, [event]), ` ${said.join(', ')}`]))
    },
  }
}

const nameOf = ({ firstName, lastName }: DemoClient): string =>
  firstName === null ? lastName : `${firstName} ${lastName}`
