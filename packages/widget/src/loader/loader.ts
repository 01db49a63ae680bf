import {
  helloMessage,
  initMessage,
  type CopiedNote,
  type EventDetail,
  type NoteContext,
  type ToFrame,
  type ToPage,
  type WidgetEvent,
  type WidgetSettings,
} from '../protocol.js'
import { chooseWords, makePlace, type Place } from './make-place.js'

/** A frame that was loaded has said hello long before; one that was refused never does. */
const helloWithinMs = 8_000

type Listener = (detail: EventDetail, of?: NoteContext | null) => void
type CopyListener = (copied: CopiedNote, of: NoteContext) => void

const page = window as unknown as Record<string, unknown>
const source = new URL((document.currentScript as HTMLScriptElement).src)
const { origin } = source
const globalName = source.searchParams.get('global') ?? 'Casenote'
const settingsName = source.searchParams.get('settings') ?? 'casenoteSettings'

const listeners: [string, Listener][] = []
const copyListeners: CopyListener[] = []
let isReady = false

/** An error's message is for the developer; the clinician is told in the widget's place. */
function emit(event: WidgetEvent, detail: EventDetail, of?: NoteContext | null): void {
  if (event === 'ready') isReady = true
  if (event === 'error') console.error('Casenote:', detail.message)
  for (const [name, listener] of listeners) if (name === event) listener(detail, of)
}

/** Calls before there is a frame, in order. Null once there is one. */
let queue: ToFrame[] | null = []
let port: MessagePort | null = null
let place: Place | null = null
let settings: WidgetSettings = {}

/** What a frame is told that was loaded anew, because the page moved it: no tokens, once they were handed over. */
let signIn: ToFrame | null = null
let selection: Extract<ToFrame, { type: 'selectClient' }> | null = null

function send(message: ToFrame): void {
  if (queue) queue.push(message)
  else port?.postMessage(message)
}

const sendSettings = (): void =>
  send({ type: 'settings', settings, canCopy: copyListeners.length > 0, answersCopies: true })

/** A copy without functions and elements, which no port would carry; of nothing, an empty one. */
const copy = (value: unknown): object => JSON.parse(JSON.stringify(value ?? {})) as object

/** What is handed over is looked at in the frame: what it has to say appears in the same console. */
const api = {
  authenticate(tokens: unknown, clinicianId?: string): void {
    signIn = { type: 'authenticate', tokens: copy(tokens), clinicianId: clinicianId ?? null }
    send(signIn)
  },
  selectClient(clientId: string, options?: object): void {
    selection = { type: 'selectClient', clientId: clientId ?? null, options: copy(options) }
    send(selection)
    if (clientId) place?.open()
  },
  onCopyNoteClicked(listener: CopyListener): void {
    copyListeners.push(listener)
    // Before there is a frame: what it is told first says so.
    if (queue === null) sendSettings()
  },
  on(event: unknown, listener: Listener): void {
    // A text, whatever it was: what no port carries would delay the rest of the queue.
    const name = String(event)
    listeners.push([name, listener])
    send({ type: 'on', event: name })
    if (name === 'ready' && isReady) queueMicrotask(() => listener({}))
  },
  logout(): void {
    signIn = selection = null
    send({ type: 'logout' })
  },
}

function hear(message: ToPage): void {
  switch (message.type) {
    case 'event':
      return emit(message.event, message.detail, message.of)
    case 'authenticated':
      if (signIn) signIn = { type: 'resume', handle: message.handle }
      return
    case 'copyNote': {
      const { copyId, chartClientId, copied, of } = message
      // What the clinician agreed to was a copy into the chart that the frame knew of. A frame from before that names none.
      const isTaken = chartClientId === undefined || chartClientId === (selection?.clientId || null)
      // First: a listener may throw.
      send({ type: 'copyAnswer', copyId, isTaken })
      return isTaken ? copyListeners.forEach((listener) => listener(copied, of)) : undefined
    }
    case 'height':
      return place?.fit(message.heightPx)
    case 'close':
    case 'open':
      return place?.[message.type]()
  }
}

function connect(frame: HTMLIFrameElement): void {
  const channel = new MessageChannel()
  port = channel.port1
  port.addEventListener('message', (event: MessageEvent<ToPage>) => hear(event.data))
  port.start()
  frame.contentWindow?.postMessage({ type: initMessage }, origin, [channel.port2])
  const waiting = queue ?? [signIn, selection]
  queue = null
  sendSettings()
  for (const message of waiting) if (message) send(message)
}

function mount(): void {
  settings = copy(page[settingsName])
  const frameUrl = new URL('frame', source)
  const partner = source.searchParams.get('partner')
  if (partner !== null) frameUrl.searchParams.set('partner', partner)
  if (settings.language) frameUrl.searchParams.set('language', settings.language)
  const made = (place = makePlace(settings, frameUrl.href, (isOpen) => send({ type: 'visibility', isOpen })))
  let isHeard = false
  addEventListener('message', ({ source: from, origin: fromOrigin, data }: MessageEvent<unknown>) => {
    if (from !== made.frame.contentWindow || fromOrigin !== origin) return
    if ((data as { type?: unknown } | null)?.type !== helloMessage) return
    isHeard = true
    made.tell(null)
    connect(made.frame)
  })
  const block = (code: string, message: string): void => {
    if (isHeard) return
    const [what, , , problem] = chooseWords(settings)
    made.tell(`${what}${problem} (${code})`)
    emit('error', { code, message })
  }
  document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
    if (!blockedURI.startsWith(origin) || !/^(frame|child|default)-src/.test(effectiveDirective)) return
    block('frameBlocked', `the page's Content-Security-Policy needs frame-src ${origin}`)
  })
  made.frame.addEventListener('load', () =>
    setTimeout(
      () =>
        block(
          'frameRefused',
          `${origin} did not answer: it cannot be reached, or ${location.origin} is not an allowed origin`,
        ),
      helloWithinMs,
    ),
  )
  made.attach()
}

if (page[globalName] === undefined) {
  page[globalName] = api
  // The container, and often the settings, stand below the script.
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', mount)
  else mount()
} else console.warn('Casenote: loaded twice')
