import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Environment } from '../tenant.js'

/** What counts as a public target. Tests pass their own to a constructor; nothing in the environment changes it. */
export interface TargetRules {
  ports: ReadonlySet<string>
  isPublicAddress: (address: string) => boolean
}

/** Ports of web servers; others are where databases and admin pages listen. */
const productionPorts = new Set(['', '443', '8443'])

/** Addresses at which cloud providers answer with a machine's credentials, beside 169.254/16. The first is public by its range. */
const cloudServiceAddresses = new Set([
  '168.63.129.16',
  '192.0.0.192',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
])

/** Names that never mean a public host: RFC 6761, RFC 8375, and what cloud providers use inside. */
const privateSuffixes = [
  'localhost',
  'localdomain',
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

export const publicTargetRules: TargetRules = { ports: productionPorts, isPublicAddress }

/**
 * Null for what is no URL. Not `URL.canParse`: once optimized, Node 20 reads its Latin-1 strings as UTF-8, and says yes
 * to what the constructor then throws at (seen with a `Location` header).
 */
export function parseUrl(text: string, base?: URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

/**
 * What a URL alone tells about whether we may call it. Names are looked at again when they are resolved, at every
 * connection. Null: nothing against it. A sandbox may call anything over http and https, loopback included, except
 * where a cloud provider answers with the credentials of this machine.
 */
export function findTargetProblem(
  url: URL,
  environment: Environment,
  rules: TargetRules = publicTargetRules,
): string | null {
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  const isWeb = url.protocol === 'https:' || (environment === 'sandbox' && url.protocol === 'http:')
  if (!isWeb) return environment === 'sandbox' ? 'must be an http or https URL' : 'must be an https URL'
  if (environment === 'production' && !rules.ports.has(url.port)) return 'must use port 443 or 8443'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return mayConnectTo(host, environment, rules) ? null : 'must name a public host'
  return environment === 'sandbox' || isPublicName(host) ? null : 'must name a public host'
}

/** An address that a name was resolved to, or a literal. Anything but an IP address is no. */
export function mayConnectTo(address: string, environment: Environment, rules: TargetRules): boolean {
  if (isIP(address) === 0) return false
  return environment === 'production' ? rules.isPublicAddress(address) : !isCloudService(address)
}

/** Whether a name is public, as the WHATWG parser leaves it: in small letters, IPv4 in every notation is dotted and not a name by then. */
function isPublicName(name: string): boolean {
  // A final dot is the same host in another spelling, which certificates, logs and duplicate checks take for another.
  if (!name.includes('.') || name.endsWith('.')) return false
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

/** Metadata services answer any process on the machine; no sandbox partner has business there. */
function isCloudService(address: string): boolean {
  const parsed = withoutMapping(ipaddr.parse(address))
  return parsed.range() === 'linkLocal' || cloudServiceAddresses.has(parsed.toString())
}

/** The IPv4 address inside a mapped, compatible or NAT64 one: those reach the same machine. */
function withoutMapping(parsed: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (parsed instanceof ipaddr.IPv4) return parsed
  const bytes = parsed.toByteArray()
  const isCompatible = bytes.slice(0, 12).every((byte) => byte === 0) && parsed.range() === 'unicast'
  const carriesIpv4 = isCompatible || ['ipv4Mapped', 'rfc6145', 'rfc6052'].includes(parsed.range())
  return carriesIpv4 ? new ipaddr.IPv4(bytes.slice(12)) : parsed
}
