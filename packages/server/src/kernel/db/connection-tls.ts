import { readFileSync } from 'node:fs'
import { checkServerIdentity, type ConnectionOptions } from 'node:tls'
import ipaddr from 'ipaddr.js'
import pg from 'pg'

/**
 * Those of libpq that promise something. `require` is taken for `verify-full`: encryption with whoever answers is none. `prefer`
 * and `allow`, which go on in the open where the other side says so, are refused.
 */
const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof MODES)[number]

/** Parameters that are read here, and not by pg: it knows more modes, and takes some of ours for less than they promise. */
const ownParameters = new Set([
  'ssl',
  'sslmode',
  'sslnegotiation',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'uselibpqcompat',
])

const SSL_VALUES: Readonly<Record<string, Mode>> = {
  true: 'verify-full',
  1: 'verify-full',
  false: 'disable',
  0: 'disable',
}

/** What pg would otherwise take from PGSSLMODE and PGSSLNEGOTIATION, which are meant for other programs. */
const notFromEnvironment = { ssl: false, sslnegotiation: 'postgres' } as const

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
  if ((given.get('sslnegotiation') ?? 'postgres') !== 'postgres') return null
  const mode = findMode(given)
  if (mode !== null && !(MODES as readonly string[]).includes(mode)) return null
  const others = [...given].filter(([name]) => !ownParameters.has(name))
  if (others.length === given.size) return { mode: mode as Mode | null, given, plainUrl: url }
  const rest = new URLSearchParams(others).toString()
  return { mode: mode as Mode | null, given, plainUrl: rest === '' ? address : `${address}?${rest}` }
}

/** The mode as the URL writes it. Who names a certificate means it to be used. */
function findMode(given: URLSearchParams): string | null {
  const ssl = given.get('ssl')
  const ofSsl = ssl === null ? null : (SSL_VALUES[ssl] ?? 'unknown')
  if (ofSsl === 'unknown') return ofSsl
  const isMeant = ['sslrootcert', 'sslcert', 'sslkey'].some((name) => given.has(name))
  return given.get('sslmode') ?? ofSsl ?? (isMeant ? 'verify-full' : null)
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

const readPlain = ({ plainUrl }: Parts): pg.Client =>
  new pg.Client({ connectionString: plainUrl, ...notFromEnvironment })

const hostOf = (parts: Parts): string => readPlain(parts).host

const isSocket = (host: string): boolean => host.startsWith('/')

/** What pg is given for a URL. Files are read anew each time: a certificate may have been replaced. */
export function connectionOf(url: string): {
  connectionString: string
  ssl: ConnectionOptions | false
  sslnegotiation: 'postgres'
} {
  const parts = requireParts(url)
  const { mode, given, plainUrl: connectionString } = parts
  const host = hostOf(parts)
  if (mode === null || mode === 'disable' || isSocket(host))
    return { connectionString, ...notFromEnvironment }
  const read = (name: string): string | undefined => {
    const path = given.get(name)
    return path === null ? undefined : readFileSync(path, 'utf8')
  }
  const files = { ca: read('sslrootcert'), cert: read('sslcert'), key: read('sslkey') }
  return {
    connectionString,
    ...notFromEnvironment,
    ssl: {
      ...Object.fromEntries(Object.entries(files).filter(([, text]) => text !== undefined)),
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      checkServerIdentity: (_name, certificate) =>
        mode === 'verify-ca' ? undefined : checkServerIdentity(host, certificate),
    },
  }
}

function requireParts(url: string): Parts {
  const parts = readParts(url)
  if (parts === null)
    throw new Error(
      `a database URL must have one of ${MODES.join(', ')} as sslmode, true or false as ssl, and no sslnegotiation of its own`,
    )
  return parts
}

/**
 * The same connection for PostgreSQL's own programs, in variables: a URL among the arguments shows in every list of processes.
 * All of them are set, so that nothing of the environment makes it another one.
 */
export function libpqVariablesOf(url: string): Record<string, string> {
  const parts = requireParts(url)
  const { host, port, user, database, password } = readPlain(parts)
  const options = new URLSearchParams(splitOnce(parts.plainUrl, '?')[1]).get('options')
  return {
    // Encrypted by Kerberos, libpq would ask for no certificate.
    PGGSSENCMODE: 'disable',
    PGHOST: host,
    PGPORT: String(port),
    ...(user !== undefined && { PGUSER: user }),
    ...(database !== undefined && { PGDATABASE: database }),
    ...(typeof password === 'string' && { PGPASSWORD: password }),
    ...(options !== null && { PGOPTIONS: options }),
    ...tlsVariablesOf(parts, host),
  }
}

function tlsVariablesOf({ mode, given }: Parts, host: string): Record<string, string> {
  if (mode === null || mode === 'disable' || isSocket(host)) return { PGSSLMODE: 'disable' }
  const authority = given.get('sslrootcert')
  const [cert, key] = [given.get('sslcert'), given.get('sslkey')]
  return {
    // With the system's authorities libpq checks the name in any case, and knows that word since version 16.
    PGSSLMODE: mode === 'verify-ca' && authority !== null ? 'verify-ca' : 'verify-full',
    PGSSLROOTCERT: authority ?? 'system',
    PGSSLMINPROTOCOLVERSION: 'TLSv1.2',
    ...(cert !== null && { PGSSLCERT: cert }),
    ...(key !== null && { PGSSLKEY: key }),
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

/** The URL with the certificates of who signed the server's, which is then verified, unless the URL says otherwise. */
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
