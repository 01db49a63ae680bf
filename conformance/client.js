// A thin layer over fetch that keeps everything a check may want to look at: status, headers and the text of the body.

/**
 * @typedef {object} CallOptions
 * @property {unknown} [body] sent as JSON
 * @property {string | Uint8Array<ArrayBuffer>} [rawBody] sent as it is; bytes go out without a Content-Type
 * @property {Record<string, string>} [headers] added last, so they win
 * @property {string | null} [apiKey] null: without the header
 * @property {string | null} [accessToken] null: without the header
 */

/** Secrets and tokens never reach the terminal or a report. */
const secretFields = /"(accessToken|AccessToken|IdToken|RefreshToken|clientSecret|apiKey)":"[^"]*"/g

const excerptLengthMax = 400

export class Answer {
  /**
   * @param {string} method
   * @param {string} path
   * @param {Response} response
   * @param {string} text
   */
  constructor(method, path, response, text) {
    this.method = method
    this.path = path
    this.status = response.status
    this.headers = response.headers
    this.text = text
  }

  /** The body as JSON; undefined when it is none. */
  get json() {
    try {
      return JSON.parse(this.text)
    } catch {
      return undefined
    }
  }

  /** What came, in one line for a failure's message. */
  describe() {
    const text = this.text.replaceAll(secretFields, '"$1":"…"')
    const excerpt = text.length > excerptLengthMax ? `${text.slice(0, excerptLengthMax)}…` : text
    return `${this.method} ${this.path} answered ${this.status} ${excerpt || '(no body)'}`
  }
}

export class Client {
  /** @type {Promise<string> | null} */
  #token = null

  /**
   * @param {string} baseUrl ends in /v2
   * @param {{ apiKey: string, clientId: string, clientSecret: string }} credentials
   */
  constructor(baseUrl, credentials) {
    this.baseUrl = baseUrl.replace(/\/+$/, '')
    this.origin = new URL(baseUrl).origin
    this.credentials = credentials
  }

  /** One partner token for the whole run, as contract part 5 asks partners to cache it. */
  token() {
    this.#token ??= this.authenticate().then((answer) => {
      const token = answer.json?.accessToken
      if (typeof token !== 'string') throw new Error(`no partner token: ${answer.describe()}`)
      return token
    })
    return this.#token
  }

  authenticate() {
    const { clientId, clientSecret } = this.credentials
    return this.call('POST', '/partners/authenticate', {
      body: { clientId, clientSecret },
      accessToken: null,
    })
  }

  /**
   * @param {string} method
   * @param {string} path below the base URL
   * @param {CallOptions} [options]
   */
  async call(method, path, options = {}) {
    /** @type {Record<string, string>} */
    const headers = {}
    const apiKey = options.apiKey === undefined ? this.credentials.apiKey : options.apiKey
    if (apiKey !== null) headers['x-api-key'] = apiKey
    const accessToken = options.accessToken === undefined ? await this.token() : options.accessToken
    if (accessToken !== null) headers['access-token'] = accessToken
    if (options.body !== undefined) headers['content-type'] = 'application/json'
    return this.#send(method, this.baseUrl + path, path, {
      headers: { ...headers, ...options.headers },
      body: options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body)),
    })
  }

  /**
   * Outside of the base URL: the widget's surface, or a route without `/v2`.
   * @param {string} method
   * @param {string} path below the origin
   * @param {{ body?: unknown, headers?: Record<string, string> }} [options]
   */
  callOrigin(method, path, { body, headers = {} } = {}) {
    return this.#send(method, this.origin + path, path, {
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  }

  /**
   * @param {string} method
   * @param {string} url
   * @param {string} path
   * @param {{ headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer> | undefined }} init
   */
  async #send(method, url, path, init) {
    /** @type {RequestInit} */
    const request = {
      ...init,
      method,
      redirect: 'manual',
      // Longer than any answer of this API takes; a hung server fails its check instead of the run.
      signal: AbortSignal.timeout(20_000),
    }
    const response = await fetch(url, request)
    return new Answer(method, path, response, await response.text())
  }

  /** @param {string} path @param {CallOptions} [options] */
  get(path, options) {
    return this.call('GET', path, options)
  }

  /** @param {string} path @param {unknown} [body] @param {CallOptions} [options] */
  post(path, body, options) {
    return this.call('POST', path, { body, ...options })
  }

  /** @param {string} path @param {unknown} [body] @param {CallOptions} [options] */
  patch(path, body, options) {
    return this.call('PATCH', path, { body, ...options })
  }

  /** @param {string} path @param {CallOptions} [options] */
  delete(path, options) {
    return this.call('DELETE', path, options)
  }
}
