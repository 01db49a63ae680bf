import { helloMessage, initMessage, type ToFrame, type ToPage } from '../../protocol.js'

/** The page that embeds the frame, reached over a port that no other script of the page has. */
export interface PageConnection {
  /** As the browser says it, not as the page claims. */
  origin: string
  send(message: ToPage): void
  listen(hear: (message: ToFrame) => void): void
}

/** Never resolves where the frame is opened as a page of its own. */
export function connectPage(): Promise<PageConnection> {
  return new Promise((resolve) => {
    const hearInit = (event: MessageEvent<unknown>): void => {
      const [port] = event.ports
      if (event.source !== parent || port === undefined) return
      if ((event.data as { type?: unknown } | null)?.type !== initMessage) return
      removeEventListener('message', hearInit)
      resolve({
        origin: event.origin,
        send: (message) => port.postMessage(message),
        listen: (hear) => {
          port.addEventListener('message', ({ data }: MessageEvent<ToFrame>) => hear(data))
          port.start()
        },
      })
    }
    addEventListener('message', hearInit)
    // To whoever it is: it says only that there is a frame. Who may talk to it, the service says at `authenticate`.
    if (parent !== window) parent.postMessage({ type: helloMessage }, '*')
  })
}
