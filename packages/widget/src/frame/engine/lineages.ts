import type { HandedTokens } from '../../protocol.js'
import type { Store } from './open-store.js'

/** One pair of tokens and all that came from it by renewal. Tabs that were handed the same pair share it. */
export interface Lineage {
  /** Follows from the refresh token that the page handed over, and tells nothing about it. */
  handle: string
  accessToken: string
  refreshToken: string
  expiresAtMs: number
  /** A renewal that was sent and not answered: the same id asks for the same answer. */
  renewal: { renewalId: string; sentAtMs: number } | null
}

/** Refresh tokens live for seven days from each minting; what was not touched for longer is dead. */
const lifeMs = 7 * 24 * 3_600_000

export interface Lineages {
  find(handle: string): Promise<Lineage | undefined>
  keep(lineage: Lineage): Promise<void>
  forget(handle: string): Promise<void>
}

/**
 * In the browser's storage where there is one: a reloaded frame, and the next tab, then go on with the newest tokens. In
 * memory where there is none, or no room: the other tabs then have to be signed in again.
 */
export function makeLineages(store: Store | null): Lineages {
  const inMemory = new Map<string, Lineage>()
  return {
    find: async (handle) => inMemory.get(handle) ?? (await store?.find('lineages', handle)),
    keep: async (lineage) => {
      inMemory.set(lineage.handle, lineage)
      try {
        if (store === null) return
        await store.put('lineages', lineage)
        inMemory.delete(lineage.handle)
      } catch {
        // A full disk; a recording that needs these tokens to be sent must not wait for room.
      }
    },
    forget: async (handle) => {
      inMemory.delete(handle)
      await store?.remove('lineages', [handle])
    },
  }
}

export async function dropDeadLineages(store: Store | null): Promise<void> {
  const rows = (await store?.list<Lineage>('lineages')) ?? []
  const dead = rows.filter(({ expiresAtMs }) => expiresAtMs + lifeMs < Date.now())
  await store?.remove(
    'lineages',
    dead.map(({ handle }) => handle),
  )
}

export function newLineage(handle: string, tokens: HandedTokens): Lineage {
  return {
    handle,
    accessToken: tokens.AccessToken,
    refreshToken: tokens.RefreshToken,
    expiresAtMs: Date.now() + tokens.ExpiresIn * 1000,
    renewal: null,
  }
}

export async function makeHandle(refreshToken: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(refreshToken))
  return btoa(String.fromCodePoint(...new Uint8Array(hash)))
}
