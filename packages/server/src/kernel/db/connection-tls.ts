import { readFileSync } from 'node:fs'
import { checkServerIdentity, type ConnectionOptions } from 'node:tls'
import ipaddr from 'ipaddr.js'
import pg from 'pg'

/**
 * Those of libpq that promise something. `require` is held to `verify-full`: encryption with whoever answers is none. `prefer`
 * and `allow`, which go on in the open where the other side says so, are refused.
 */
const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof MODES)[number]

/** Parameters that are read here, and not by pg: it would check a server that is named by its address as `localhost`. */
const ownParameters = new Set(['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat'])

interface Parts {
  /** Null: neither said nor meant. */
  mode: Mode | null
  given: URLSearchParams
  /** Without what is said about TLS. */
  plainUrl: string
}

/** Null: not a way in which we connect. By hand, since the URL of a socket has no host, which `URL` does not take. */
function readParts(url: string): Parts | null {
  const [address, query] = splitOnce(url, '?')
  const given = new URLSearchParams(query)
  const named =
    given.get('sslmode') ?? (['true', '1'].includes(given.get('ssl') ?? '') ? 'verify-full' : null)
  const mode = named === null && given.has('sslrootcert') ? 'verify-full' : named
  if (mode !== null && !(MODES as readonly string[]).includes(mode)) return null
  const others = [...given].filter(([name]) => !ownParameters.has(name))
  if (others.length === given.size) return { mode: mode as Mode | null, given, plainUrl: url }
  const rest = new URLSearchParams(others).toString()
  return { mode: mode as Mode | null, given, plainUrl: rest === '' ? address : `${address}?${rest}` }
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

const hostOf = ({ plainUrl }: Parts): string => new pg.Client({ connectionString: plainUrl }).host

const isSocket = (host: string): boolean => host.startsWith('/')

/** What pg is given for a URL. Files are read anew each time: a certificate may have been replaced. */
export function connectionOf(url: string): { connectionString: string; ssl?: ConnectionOptions | false } {
  const parts = readParts(url)
  if (parts === null) throw new Error(`sslmode of a database URL must be one of ${MODES.join(', ')}`)
  const { mode, given, plainUrl: connectionString } = parts
  if (mode === null) return { connectionString }
  const host = hostOf(parts)
  if (mode === 'disable' || isSocket(host)) return { connectionString, ssl: false }
  const read = (name: string): string | undefined => {
    const path = given.get(name)
    return path === null ? undefined : readFileSync(path, 'utf8')
  }
  const files = { ca: read('sslrootcert'), cert: read('sslcert'), key: read('sslkey') }
  return {
    connectionString,
    ssl: {
      ...Object.fromEntries(Object.entries(files).filter(([, text]) => text !== undefined)),
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      checkServerIdentity: (_name, certificate) =>
        mode === 'verify-ca' ? undefined : checkServerIdentity(host, certificate),
    },
  }
}

/** Whether it can be connected so: the mode is one of ours, and the files that it names can be read. */
export function canConnect(url: string): boolean {
  try {
    connectionOf(url)
    return true
  } catch {
    return false // What is wrong may be a password's place in the URL: it is not told.
  }
}

/** With the certificates of who signed the server's, and then verified, unless the URL says otherwise. */
export function withAuthority(url: string, file: string): string {
  const parts = readParts(url)
  if (parts === null || parts.mode === 'disable' || parts.given.has('sslrootcert')) return url
  if (isSocket(hostOf(parts))) return url
  const added = new URLSearchParams({ sslmode: parts.mode ?? 'verify-full', sslrootcert: file })
  for (const name of ['sslcert', 'sslkey']) {
    const path = parts.given.get(name)
    if (path !== null) added.set(name, path)
  }
  return `${parts.plainUrl}${parts.plainUrl.includes('?') ? '&' : '?'}${added.toString()}`
}

/** Whether what is said on it can be read on the way: it leaves the machine, and nothing was said about TLS. */
export function isInTheOpen(url: string): boolean {
  const parts = readParts(url)
  if (parts === null || (parts.mode !== null && parts.mode !== 'disable')) return false
  const host = hostOf(parts)
  const isLoopback = ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback'
  return !(isSocket(host) || host === 'localhost' || isLoopback)
}
