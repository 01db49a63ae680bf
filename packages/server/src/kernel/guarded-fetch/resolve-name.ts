import type { LookupAddress } from 'node:dns'
import { getServers, Resolver } from 'node:dns/promises'
import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import { errnoOf } from '../errno.js'

/** All addresses of a name, in the order in which they are tried. */
export type ResolveName = (name: string) => Promise<LookupAddress[]>

export interface ResolverOptions {
  /** Instead of those of the system: `127.0.0.1:5353`. */
  servers?: readonly string[]
  hostsFile?: string
  timeoutMs?: number
}

const usualHostsFile =
  process.platform === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts'

/**
 * How long all name servers together are waited for, doubled for the second try: a name takes 4.5 s at the most, less than half of what a
 * connection may.
 */
const usualTimeoutMs = 1_500
const tries = 2

/** A machine's name servers change while a service runs. */
const renewAfterMs = 10_000

/** Far more than a machine lists; what is beyond is not read. */
const hostsBytesMax = 1_000_000

/**
 * Resolves names that strangers give us. Not by `dns.lookup`: that takes one of four threads, which files and cryptography need,
 * too, until the name's servers answer or it gives up, so a few names without an answer would delay everybody. This asks the
 * system's name servers without a thread, as many names at once as are asked for, after the hosts file, and nothing else that a
 * system may be set up with.
 */
export function makeNameResolver(options: ResolverOptions = {}): ResolveName {
  const { servers, timeoutMs = usualTimeoutMs, hostsFile = usualHostsFile } = options
  const readHosts = makeHostsReader(hostsFile)
  let resolver: Resolver | null = null
  let madeAtMs = 0
  const current = (): Resolver => {
    if (resolver === null || performance.now() - madeAtMs > renewAfterMs) {
      const count = Math.max(1, (servers ?? getServers()).length)
      resolver = new Resolver({ timeout: Math.ceil(timeoutMs / count), tries })
      if (servers !== undefined) resolver.setServers(servers)
      madeAtMs = performance.now()
    }
    return resolver
  }
  const resolveOnce = async (name: string): Promise<LookupAddress[]> => {
    const folded = name.toLowerCase().replace(/\.$/, '')
    // RFC 6761: no name server is asked for it.
    if (folded === 'localhost' || folded.endsWith('.localhost')) return toAddresses(['127.0.0.1', '::1'])
    const own = (await readHosts()).get(folded)
    return own === undefined ? askServers(current(), name) : toAddresses(own)
  }
  /** A thousand deliveries may wait for one name. */
  const underway = new Map<string, Promise<LookupAddress[]>>()
  return (name) => {
    const asked = underway.get(name) ?? resolveOnce(name).finally(() => underway.delete(name))
    underway.set(name, asked)
    return asked
  }
}

async function askServers(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  // IPv4 first: where IPv6 leads nowhere, nobody says so.
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return toAddresses(found)
  const codes = answers.map((answer) =>
    answer.status === 'rejected' ? (errnoOf(answer.reason) ?? 'unknown') : 'ENODATA',
  )
  throw new NameUnresolved(codes.every((code) => notFoundCodes.has(code)) ? 'ENOTFOUND' : 'EAI_AGAIN')
}

const notFoundCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** A name that was not resolved, with the code that `dns.lookup` would have: there is no such name, or nobody could say. */
class NameUnresolved extends Error {
  readonly code: 'ENOTFOUND' | 'EAI_AGAIN'

  constructor(code: 'ENOTFOUND' | 'EAI_AGAIN') {
    super('a name was not resolved')
    this.name = 'NameUnresolved'
    this.code = code
  }
}

const toAddresses = (addresses: readonly string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: isIP(address) }))

/** Reads it again when it has changed. Without one there are no names in it. */
function makeHostsReader(file: string): () => Promise<ReadonlyMap<string, readonly string[]>> {
  let hosts = new Map<string, string[]>()
  let version = ''
  return async () => {
    try {
      const { mtimeMs, size } = await stat(file)
      if (version !== `${mtimeMs} ${size}`) {
        hosts = readHostsText((await readFile(file, 'utf8')).slice(0, hostsBytesMax))
        version = `${mtimeMs} ${size}`
      }
    } catch {
      // A machine needs none, and a container may not let us read it.
      hosts = new Map()
      version = ''
    }
    return hosts
  }
}

function readHostsText(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').split(/\s/).filter((word) => word !== '')
    if (isIP(address) === 0) continue
    for (const name of names.map((one) => one.toLowerCase())) {
      const addresses = hosts.get(name)
      if (addresses === undefined) hosts.set(name, [address])
      else addresses.push(address)
    }
  }
  return hosts
}
