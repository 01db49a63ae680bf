import { Pages, type ListOptions } from './pages.js'
import type { Call, RequestOptions, Transport } from './transport.js'

/** What every group of operations stands on. */
export class Resource {
  constructor(private readonly transport: Transport) {}

  protected send<Result>(call: Call, options: RequestOptions = {}): Promise<Result> {
    return this.transport.send(call, options)
  }

  protected listPages<Item>(path: string, query: object, options: ListOptions = {}): Pages<Item> {
    return new Pages(this.transport, { method: 'GET', path, query, repeat: 'always' }, options)
  }
}
