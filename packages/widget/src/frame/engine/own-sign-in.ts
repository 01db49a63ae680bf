import type { ClinicianTokens, SignInStarted } from '@casenote/contract'
import { engineTexts, textLanguage } from '../texts/texts.js'
import { fill } from '../texts/fill.js'
import { keepSignIn, readSignIn, type KeptSignIn } from './kept-sign-in.js'
import { EngineError, type OwnSignIn } from './engine.js'

interface Parts {
  /** As the page gave it. */
  email: string
  partnerId: string
  pageOrigin: string
  onTokens: (tokens: ClinicianTokens) => Promise<unknown>
  /** False once the page logged out, or named somebody else: then nothing of it is kept. */
  isCurrent: () => boolean
}

const timeoutMs = 15_000

/** As long as the service takes a code. */
const codeLifeMs = 600_000

/**
 * Signs the clinician in without the page's help: a code is mailed to the address that the page named, and typed here. The
 * verifier never leaves this tab, so that the code is worth nothing to whoever else sees it.
 */
export function makeOwnSignIn({ email, partnerId, pageOrigin, onTokens, isCurrent }: Parts): OwnSignIn {
  let asked = findAsked(email, partnerId)
  return {
    email,
    isAsked: () => asked !== null && asked.untilMs > Date.now(),
    request: async () => {
      const verifier = toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
      const challenge = toBase64Url(new Uint8Array(digest))
      const started = await post<SignInStarted>('sign-in', {
        partnerId,
        email,
        origin: pageOrigin,
        challenge,
        language: textLanguage,
      })
      asked = { signInId: started.signInId, verifier, untilMs: Date.now() + codeLifeMs }
      // With the handle of the pair that it follows: by it a frame that is loaded anew knows whose the code is.
      if (isCurrent()) keepSignIn({ ...findKept(email, partnerId), email, partnerId, asked })
    },
    redeem: async (code) => {
      if (asked === null) throw new EngineError(engineTexts.codeRefused, 401)
      const { signInId, verifier } = asked
      const tokens = await post<ClinicianTokens>('sign-in/code', { partnerId, code, signInId, verifier })
      asked = null
      await onTokens(tokens)
    },
  }
}

function findKept(email: string, partnerId: string): KeptSignIn | null {
  const kept = readSignIn()
  const isTheirs = kept?.partnerId === partnerId && foldAddress(kept.email) === foldAddress(email)
  return isTheirs ? kept : null
}

/** What was asked for with this address at this tenant. What was asked for otherwise is for nobody any more, and is dropped. */
function findAsked(email: string, partnerId: string): NonNullable<KeptSignIn['asked']> | null {
  const kept = findKept(email, partnerId)
  if (kept === null) keepSignIn(null)
  return kept?.asked ?? null
}

/** Takes 32 bytes: the last of 44 characters is padding. */
const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .slice(0, 43)
    .replaceAll('+', '-')
    .replaceAll('/', '_')

async function post<Answer>(path: string, body: object): Promise<Answer> {
  let response: Response
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.ok) return (await response.json()) as Answer
  } catch (cause) {
    // Here nothing goes on by itself: the screen says to try again.
    throw new EngineError('', 0, { cause })
  }
  throw new EngineError(wordRefusal(response), response.status)
}

function wordRefusal({ status, headers }: Response): string {
  if (status === 401) return engineTexts.codeRefused
  if (status === 429) return fill(engineTexts.codesTooMany, { wait: wordWait(headers) })
  return status === 403 || status === 400 ? engineTexts.codesOff : engineTexts.failed
}

/** `10 minutes`. A proxy may not say it. */
function wordWait(headers: Headers): string {
  const seconds = Math.max(1, Number(headers.get('retry-after')) || 60)
  const [value, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return value.toLocaleString(textLanguage, { style: 'unit', unit, unitDisplay: 'long' })
}

/** Null: tokens, or something else that is none of this. */
export function readEmail(given: unknown): string | null {
  const { email, AccessToken } = (given ?? {}) as { email?: unknown; AccessToken?: unknown }
  return AccessToken === undefined && typeof email === 'string' && email.trim() !== '' ? email.trim() : null
}

/** As the service compares them. */
export const foldAddress = (email: string): string => email.normalize('NFC').toLowerCase()
