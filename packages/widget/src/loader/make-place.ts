import type { WidgetSettings } from '../protocol.js'
import { makeDraggable, pin } from './make-draggable.js'

/** Where the widget is on the page: in the page's container, or behind a floating button. */
export interface Place {
  frame: HTMLIFrameElement
  /** Into the document: from here on the frame loads. */
  attach(): void
  open(): void
  close(): void
  /** The frame's content grew or shrank. */
  fit(heightPx: number): void
  /** Plain words in the frame's stead; null: the frame. */
  tell(problem: string | null): void
}

const css =
  ':host{all:initial;display:block;font:14px system-ui}' +
  ':host([floating]){position:fixed;z-index:99999;display:flex;flex-direction:column;gap:16px;align-items:flex-end}' +
  ':host([left]){align-items:flex-start}:host([top]){flex-direction:column-reverse}' +
  'iframe{border:0;width:100%;display:block}' +
  ':host([floating]) iframe{border-radius:12px;box-shadow:0 4px 16px #0004;' +
  'max-width:calc(100vw - 32px);max-height:calc(100vh - 104px)}' +
  'p{margin:0;padding:12px;background:#fff3cd;color:#430}' +
  '[hidden]{display:none!important}' +
  'button{width:56px;height:56px;padding:14px;border:0;border-radius:50%;color:#fff;cursor:pointer;touch-action:none;' +
  'box-shadow:0 4px 16px #0004}' +
  'button:focus-visible{outline:3px solid #fff;outline-offset:-6px}' +
  'img,svg{display:block;width:28px;height:28px;pointer-events:none}' +
  'path{fill:none;stroke:#fff;stroke-width:2;stroke-linecap:round}'

const microphonePath = 'M12 15a4 4 0 0 0 4-4V6a4 4 0 0 0-8 0v5a4 4 0 0 0 4 4m-7-4a7 7 0 0 0 14 0m-7 7v4'
const crossPath = 'M6 6l12 12M18 6L6 18'

/** Never markup: a page with Trusted Types allows none. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what the tag makes
function make<Made extends Element>(
  tag: string,
  attributes: Record<string, string>,
  space: '1999/xhtml' | '2000/svg' = '1999/xhtml',
): Made {
  const element = document.createElementNS(`http://www.w3.org/${space}`, tag)
  for (const name in attributes) element.setAttribute(name, attributes[name] ?? '')
  return element as unknown as Made
}

/** The few words that stand beside the frame, in its language: what it is, open, close, and that it does not work. */
export const chooseWords = ({ language }: WidgetSettings): [string, string, string, string] =>
  /^es\b/i.test(language || navigator.language)
    ? ['Documentación clínica', 'Abrir', 'Cerrar', ': no se puede mostrar aquí. Avise a soporte.']
    : ['Clinical documentation', 'Open', 'Close', ' cannot be shown here. Please tell support.']

const inPixels = (size: string | number): string => (Number(size) > 0 ? `${size}px` : String(size))

export function makePlace(
  settings: WidgetSettings,
  frameUrl: string,
  onVisibility: (isOpen: boolean) => void,
): Place {
  const { containerId } = settings
  const container = containerId ? document.getElementById(containerId) : null
  if (containerId && container === null) console.error(`Casenote: there is no element "${containerId}"`)
  const host = make<HTMLElement>('casenote-widget', {})
  const root = host.attachShadow({ mode: 'open' })
  addStyle(root, settings.cspNonce)
  const frame = make<HTMLIFrameElement>('iframe', {
    title: chooseWords(settings)[0],
    allow: 'microphone; display-capture; clipboard-write; screen-wake-lock',
    src: frameUrl,
  })
  const notice = make<HTMLElement>('p', { role: 'alert', hidden: '' })
  root.append(notice, frame)
  setSize(frame, settings, container === null)
  const canToggle = container === null && settings.isAlwaysOpen !== true
  let isOpen = !canToggle
  const button = canToggle ? makeButton(settings) : null
  const show = (open: boolean): void => {
    if (button === null || isOpen === open) return
    isOpen = open
    frame.hidden = !open
    button.show(open)
    onVisibility(open)
  }
  if (container === null) {
    host.setAttribute('floating', '')
    const position = settings.position ?? ''
    pin(host, /top/i.test(position), /left/i.test(position), 16, 16)
  }
  if (button !== null) {
    frame.hidden = true
    root.append(button.element)
    const isDragged = settings.isDraggable ? makeDraggable(button.element, host) : null
    button.element.addEventListener('click', () => {
      if (!isDragged?.()) show(!isOpen)
    })
  }
  return {
    frame,
    attach: () => (container ?? document.body).append(host),
    open: () => show(true),
    close: () => show(false),
    // No higher than the window: what stays in place there would be out of sight.
    fit: (heightPx) => {
      if (container !== null && settings.height === undefined) frame.style.height = `min(${heightPx}px,100vh)`
    },
    tell: (problem) => {
      notice.textContent = problem
      notice.hidden = problem === null
      frame.hidden = problem !== null || !isOpen
    },
  }
}

/** An adopted sheet needs no permission of a CSP; a page that gives a nonce expects it to be used. */
function addStyle(root: ShadowRoot, nonce: string | undefined): void {
  if (nonce) {
    const style = make('style', { nonce })
    style.textContent = css
    root.append(style)
  } else {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [sheet]
  }
}

function setSize({ style }: HTMLIFrameElement, settings: WidgetSettings, isFloating: boolean): void {
  const isSmall = settings.isMinifiedView || settings.isMiniWidgetV2
  const { width, height }: WidgetSettings = { ...settings, ...(isSmall ? settings.minifiedViewSettings : {}) }
  const [usualWidth, usualHeight] = isSmall ? [250, 220] : [400, 640]
  if (width !== undefined || isFloating) style.width = inPixels(width ?? usualWidth)
  style.height = inPixels(height ?? usualHeight)
}

function makeButton(settings: WidgetSettings): { element: HTMLButtonElement; show(isOpen: boolean): void } {
  const element = make<HTMLButtonElement>('button', { type: 'button' })
  const [what, open, close] = chooseWords(settings)
  element.style.background = settings.buttonColor || '#0b6a70'
  const show = (isOpen: boolean): void => {
    element.setAttribute('aria-expanded', String(isOpen))
    element.setAttribute('aria-label', `${isOpen ? close : open} ${what}`)
    const src = isOpen ? settings.closeButtonIcon : settings.openButtonIcon
    element.replaceChildren(
      src ? make('img', { alt: '', src }) : drawIcon(isOpen ? crossPath : microphonePath),
    )
  }
  show(false)
  return { element, show }
}

function drawIcon(d: string): Element {
  const svg = make('svg', { viewBox: '0 0 24 24' }, '2000/svg')
  svg.append(make('path', { d }, '2000/svg'))
  return svg
}
