import ipaddr from 'ipaddr.js'
import type { Environment } from '../tenant.js'

/** Ports of web servers; others are where databases and admin pages listen. */
const productionPorts = new Set(['', '443', '8443'])

/** Public by their range, private by what cloud providers answer there. */
const cloudServiceAddresses = new Set(['168.63.129.16', '192.0.0.192'])

/** Names that never mean a public host: RFC 6761, RFC 8375, and what cloud providers use inside. */
const privateSuffixes = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'home.arpa',
  'corp',
  'test',
  'invalid',
  'example',
  'onion',
]

/**
 * What a URL alone tells about whether we may call it. Names are looked at again when they are resolved, at every
 * connection. Null: nothing against it. A sandbox may call anything over http and https, loopback included.
 */
export function findTargetProblem(url: URL, environment: Environment): string | null {
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (environment === 'sandbox') return null
  if (url.protocol !== 'https:') return 'must be an https URL'
  if (!productionPorts.has(url.port)) return 'must use port 443 or 8443'
  return isPublicHost(url.hostname) ? null : 'must name a public host'
}

/** `hostname` as the WHATWG parser leaves it: IPv4 in every notation is dotted by then, IPv6 in brackets. */
function isPublicHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(bare)) return isPublicAddress(bare)
  const name = bare.toLowerCase().replace(/\.$/, '')
  if (!name.includes('.')) return false
  return !privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))
}

/** Only what the registries call global unicast; every tunnel and mapping to IPv4 is refused as such. */
function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || cloudServiceAddresses.has(parsed.toString())) return false
  if (parsed instanceof ipaddr.IPv4) return true
  // Global unicast is 2000::/3. `::a.b.c.d` (deprecated, RFC 4291) would else count as unicast.
  return (parsed.parts[0] ?? 0) >> 13 === 1
}
