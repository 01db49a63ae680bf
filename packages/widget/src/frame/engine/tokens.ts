import type { HandedTokens } from '../../protocol.js'
import { engineTexts } from '../texts/texts.js'
import { EngineError } from './engine.js'
import { makeHandle, newLineage, type Lineage, type Lineages } from './lineages.js'

/** A request that starts with less than this left would often arrive too late. */
const leastLifeMs = 20_000
/** Renewed this long before the end without being asked, so that requests seldom wait; jitter spreads tabs. */
const renewAheadMs = 60_000
/** The service answers a repeated renewal for 60 s (ruling 9); later it would take it for a theft. */
const repeatWithinMs = 50_000
const renewalTimeoutMs = 15_000
/** A page that authenticates every few minutes for a day; what is older has most often ended by itself. */
const earlierMost = 100

export interface Tokens {
  /** Joins the lineage of these tokens: a page may hand over a pair that was renewed long ago. */
  adopt(tokens: HandedTokens): Promise<string>
  /** False: nothing is known of this handle. */
  resume(handle: string): Promise<boolean>
  /** Fit for one request; refuses with 401 when there is none, with 0 when a renewal found no network. */
  getAccessToken(): Promise<string>
  /** After a 401: gives another one, or refuses with 401. */
  replaceAccessToken(refused: string): Promise<string>
  /** Forgets, here and in the other tabs; gives what to revoke, at once: every pair that the page handed over since. */
  end(): Lineage[]
}

interface Parts {
  lineages: Lineages
  /** Another tab logged out, or the tokens turned out to be revoked. */
  onGone: () => void
}

type News = { handle: string; kind: 'renewed' | 'gone' }

export function makeTokens({ lineages, onGone }: Parts): Tokens {
  let current: Lineage | null = null
  /** Pairs that another one took the place of, as after `authenticationRequired`. */
  let earlier: Lineage[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const channel = new BroadcastChannel('casenote-tokens')
  channel.addEventListener('message', ({ data }: MessageEvent<News>) => {
    if (data.handle === current?.handle) void hearNews(data)
  })

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
  const tell = (news: News): void => channel.postMessage(news)

  async function hearNews({ handle, kind }: News): Promise<void> {
    if (kind === 'gone') return goneHere()
    const row = await lineages.find(handle)
    if (row !== undefined && current?.handle === handle) use(row)
  }

  function use(lineage: Lineage): void {
    if (current !== null && current.handle !== lineage.handle) {
      earlier = [...earlier.slice(1 - earlierMost), current]
    }
    current = lineage
    clearTimeout(timer)
    const dueMs = lineage.expiresAtMs - renewAheadMs - Math.random() * 20_000 - Date.now()
    // Best effort: who needs a token renews by itself and sees why it failed.
    timer = setTimeout(() => void renew(lineage.accessToken).catch(() => {}), Math.max(1_000, dueMs))
  }

  function goneHere(): void {
    clearTimeout(timer)
    current = null
    onGone()
  }

  let own: Promise<unknown> = Promise.resolve()
  const inTurn = async <Result>(handle: string, work: () => Promise<Result>): Promise<Result> => {
    let hasTurn = false
    const takeTurn = (): Promise<Result> => {
      hasTurn = true
      return work()
    }
    try {
      return await navigator.locks.request(`casenote-tokens-${handle}`, takeTurn)
    } catch (error) {
      if (hasTurn) throw error
      // Where embedded pages may store nothing they have no locks either, and share no tokens: a turn within this tab.
      const result = own.then(work, work)
      own = result.catch(() => undefined)
      return await result
    }
  }

  function renew(known: string): Promise<string> {
    if (current === null) return Promise.reject(new EngineError(engineTexts.signedOut, 401))
    const { handle } = current
    return inTurn(handle, async () => {
      const row = await lineages.find(handle)
      if (current?.handle !== handle || row === undefined) throw new EngineError(engineTexts.signedOut, 401)
      if (row.accessToken === known) return renewInTurn(row)
      use(row)
      return row.accessToken
    })
  }

  async function renewInTurn(row: Lineage): Promise<string> {
    const renewal = row.renewal ?? { renewalId: crypto.randomUUID(), sentAtMs: Date.now() }
    if (row.renewal === null) {
      await requireService()
      await lineages.keep({ ...row, renewal })
    }
    const isTooLate = Date.now() - renewal.sentAtMs > repeatWithinMs
    const answer = isTooLate ? null : await askForRenewal(row.refreshToken, renewal.renewalId)
    if (answer === null) {
      await lineages.forget(row.handle)
      tell({ handle: row.handle, kind: 'gone' })
      goneHere()
      throw new EngineError(engineTexts.signedOut, 401)
    }
    // Logged out meanwhile: the service has ended what it gave, or ends it with the session.
    if (current?.handle !== row.handle) throw new EngineError(engineTexts.signedOut, 401)
    const next = newLineage(row.handle, answer)
    await lineages.keep(next)
    if (current?.handle !== row.handle) {
      await lineages.forget(row.handle)
      throw new EngineError(engineTexts.signedOut, 401)
    }
    use(next)
    tell({ handle: row.handle, kind: 'renewed' })
    return next.accessToken
  }

  return {
    async adopt(tokens) {
      const handle = await makeHandle(tokens.RefreshToken)
      await inTurn(handle, async () => {
        const row = (await lineages.find(handle)) ?? newLineage(handle, tokens)
        await lineages.keep(row)
        use(row)
      })
      return handle
    },
    async resume(handle) {
      const row = await lineages.find(handle)
      if (row !== undefined) use(row)
      return row !== undefined
    },
    async getAccessToken() {
      if (current === null) throw new EngineError(engineTexts.signedOut, 401)
      if (current.expiresAtMs - Date.now() > leastLifeMs) return current.accessToken
      return renew(current.accessToken)
    },
    replaceAccessToken: renew,
    end() {
      const ended = current === null ? earlier : [...earlier, current]
      clearTimeout(timer)
      current = null
      earlier = []
      for (const { handle } of ended) {
        // One that cannot be removed has been revoked: whoever finds it is signed out by the service.
        lineages.forget(handle).catch(() => {})
        tell({ handle, kind: 'gone' })
      }
      // Another tab may have renewed one by now; the service ends the session by any token that it ever had.
      return ended
    },
  }
}

/**
 * A renewal whose answer is lost can be repeated for a minute only. Asking for something harmless first makes it rare
 * that one is sent into a network that is not there.
 */
async function requireService(): Promise<void> {
  try {
    await fetch('widget.js', {
      method: 'GET',
      cache: 'no-store',
      signal: AbortSignal.timeout(renewalTimeoutMs),
    })
  } catch (cause) {
    throw new EngineError('', 0, { cause })
  }
}

/** Null: refused for good. */
async function askForRenewal(refreshToken: string, renewalId: string): Promise<HandedTokens | null> {
  let response: Response
  try {
    response = await fetch('token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ RefreshToken: refreshToken, renewalId }),
      signal: AbortSignal.timeout(renewalTimeoutMs),
    })
    if (response.ok) return (await response.json()) as HandedTokens
  } catch (cause) {
    throw new EngineError('', 0, { cause })
  }
  if (response.status === 401 || response.status === 403) return null
  throw new EngineError(engineTexts.failed, response.status)
}
