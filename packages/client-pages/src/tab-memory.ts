import type { LinkKind, TextLanguage } from '@casenote/contract'

/**
 * What survives a reload, and nothing else: `sessionStorage` belongs to this tab and is gone with it. The token moves here
 * from the address bar, so that neither the history's entry of this page, a shared address nor a look over the shoulder
 * hands it on. A browser's list of visited pages may still have the address that was tapped; without the birth date it
 * opens nothing, and once everything is answered it leads nowhere.
 */
interface TabMemory {
  kind: LinkKind
  token: string
  bearer: string | null
  /** Unsent answers, encrypted with a key that only a browser gets that is still let in. */
  sealed: string | null
  /** What the person picked to read, and what their record says. */
  picked: TextLanguage | null
  ofRecord: string | null
}

const storageName = 'casenote'

export function readMemory(): TabMemory | null {
  const kind = kindOf(location.pathname)
  const token = location.pathname.slice(3)
  const kept = readKept()
  if (token === '') return kept?.kind === kind ? kept : null
  const isKnown = kept?.kind === kind && kept.token === token
  // A mail in Spanish leads to `/a/{token}#es`.
  const ofRecord = location.hash.slice(1) || null
  const fresh = { kind, token, bearer: null, sealed: null, picked: null, ofRecord }
  const memory = isKnown ? kept : fresh
  // Where nothing can be stored the address stays: a reload must still find it.
  if (keep(memory)) history.replaceState(null, '', location.pathname.slice(0, 2))
  return memory
}

function kindOf(path: string): LinkKind {
  if (path.startsWith('/c')) return 'consent'
  return path.startsWith('/i') ? 'invitation' : 'assessments'
}

function readKept(): TabMemory | null {
  try {
    return JSON.parse(sessionStorage.getItem(storageName) ?? 'null') as TabMemory | null
  } catch {
    return null // Storage is blocked.
  }
}

export function keep(memory: TabMemory): boolean {
  try {
    sessionStorage.setItem(storageName, JSON.stringify(memory))
    return true
  } catch {
    return false
  }
}

export function forget(): void {
  try {
    sessionStorage.removeItem(storageName)
  } catch {
    // Storage is blocked: nothing is there.
  }
}

export type { TabMemory }
