import type { EventType, Page, WebhookEndpoint } from '@casenote/contract'
import { isLeftBehind } from './listener-mark.js'
import { refusal, type PartnerClient } from './partner-client.js'

export interface EndpointWish {
  url: string
  /** Null: the contract's seven. */
  eventTypes: readonly EventType[] | null
}

const path = '/webhook-endpoints'

/** An endpoint that is there as long as somebody listens. */
export class TemporaryEndpoint {
  readonly #client: PartnerClient
  readonly #wish: EndpointWish
  #id: string | null = null

  constructor(client: PartnerClient, wish: EndpointWish) {
    this.#client = client
    this.#wish = wish
  }

  get id(): string {
    if (this.#id === null) throw new Error('the endpoint is not registered')
    return this.#id
  }

  async register(): Promise<void> {
    const { url, eventTypes } = this.#wish
    const answer = await this.#client.call('POST', path, {
      url,
      ...(eventTypes === null ? {} : { eventTypes }),
    })
    if (answer.status !== 201) throw refusal('POST', path, answer)
    this.#id = (answer.body as WebhookEndpoint).id
  }

  /** Null: it is gone. */
  async find(): Promise<WebhookEndpoint | null> {
    const answer = await this.#client.call('GET', `${path}/${this.id}`)
    if (answer.status === 404) return null
    if (answer.status !== 200) throw refusal('GET', `${path}/${this.id}`, answer)
    return answer.body as WebhookEndpoint
  }

  /** Also when the answer to its creation was lost: then it is known by its URL alone. */
  async remove(): Promise<void> {
    const ids = this.#id === null ? await this.#listIds(({ url }) => url === this.#wish.url) : [this.#id]
    for (const id of ids) await this.#delete(id)
  }

  /** Returns how many there were. */
  async removeLeftBehind(): Promise<number> {
    const ids = await this.#listIds(({ url, isPrimary }) => !isPrimary && isLeftBehind(url))
    for (const id of ids) await this.#delete(id)
    return ids.length
  }

  async #listIds(isMeant: (endpoint: WebhookEndpoint) => boolean): Promise<string[]> {
    const ids: string[] = []
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const answer = await this.#client.call('GET', `${path}?page=${page}`)
      if (answer.status !== 200) throw refusal('GET', path, answer)
      const { data, meta } = answer.body as Page<WebhookEndpoint>
      ids.push(...data.filter(isMeant).map(({ id }) => id))
      pages = meta.totalPages
    }
    return ids
  }

  async #delete(id: string): Promise<void> {
    const answer = await this.#client.call('DELETE', `${path}/${id}`)
    // 404: somebody else was faster.
    if (answer.status !== 204 && answer.status !== 404) throw refusal('DELETE', `${path}/${id}`, answer)
  }
}
