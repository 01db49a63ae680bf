// The partner's side of the wire: where recordings would be fetched from and where webhooks arrive. On loopback, which
// sandbox tenants may use; a deployment elsewhere cannot reach it, and the checks that need it are then skipped.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * @typedef {object} Received
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {string} text
 */

export class PartnerSite {
  #server = createServer((request, response) => void this.#answer(request, response))
  #base = ''
  /** @type {Map<string, Received[]>} */
  #inboxes = new Map()

  async start() {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = /** @type {import('node:net').AddressInfo} */ (this.#server.address())
    this.#base = `http://127.0.0.1:${address.port}`
    return this
  }

  stop() {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** A recording that is being sent and never comes. */
  silentUrl() {
    return `${this.#base}/silent/${randomUUID()}.wav`
  }

  /** A recording that does not exist. */
  missingUrl() {
    return `${this.#base}/missing/${randomUUID()}.wav`
  }

  /** An address for webhooks, and a way to wait for one. */
  receiver() {
    const path = `/hooks/${randomUUID()}`
    /** @type {Received[]} */
    const inbox = []
    this.#inboxes.set(path, inbox)
    return {
      url: this.#base + path,
      /**
       * @param {(received: Received) => boolean} isWanted
       * @param {number} withinMs
       * @returns {Promise<Received | null>}
       */
      next: async (isWanted, withinMs) => {
        const deadline = Date.now() + withinMs
        for (;;) {
          const found = inbox.findIndex(isWanted)
          if (found >= 0) return inbox.splice(found, 1)[0] ?? null
          if (Date.now() > deadline) return null
          await new Promise((resolve) => setTimeout(resolve, 25))
        }
      },
    }
  }

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  async #answer(request, response) {
    const path = request.url ?? ''
    if (path.startsWith('/silent/')) return
    const inbox = this.#inboxes.get(path)
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    inbox?.push({ headers: request.headers, text: Buffer.concat(chunks).toString('utf8') })
    response.writeHead(inbox === undefined ? 404 : 204).end()
  }
}
