import type { PageMeta } from './generated/types.js'
import type { Call, RequestOptions, Transport } from './transport.js'

export interface Page<Item> {
  data: Item[]
  meta: PageMeta
}

export interface ListOptions extends RequestOptions {
  /** 1 to 100, where the service takes it; otherwise pages have ten items. */
  pageSize?: number | undefined
}

/** A list: `for await` goes through its items, page by page. Nothing is asked for before that. */
export class Pages<Item> implements AsyncIterable<Item> {
  constructor(
    private readonly transport: Transport,
    private readonly call: Call,
    private readonly options: ListOptions,
  ) {}

  /** One page; the first is 1. Beyond the last one `data` is empty. */
  async page(page: number): Promise<Page<Item>> {
    const { pageSize, ...options } = this.options
    const headers = pageSize === undefined ? {} : { 'casenote-page-size': String(pageSize) }
    return this.transport.send({ ...this.call, query: { ...this.call.query, page }, headers }, options)
  }

  /** Page by page, for who shows how many there are. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    for (let page = 1; ; page += 1) {
      const found = await this.page(page)
      yield found
      if (page >= found.meta.totalPages || found.data.length === 0) return
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data
  }

  /** The first item; null if there is none. */
  async first(): Promise<Item | null> {
    const { data } = await this.page(1)
    return data[0] ?? null
  }

  /** All of them in memory, at most `max`. */
  async toArray({ max }: { max: number }): Promise<Item[]> {
    const items: Item[] = []
    if (max <= 0) return items
    for await (const item of this) {
      items.push(item)
      if (items.length >= max) break
    }
    return items
  }
}
