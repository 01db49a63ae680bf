import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { Agent, buildConnector } from 'undici'
import type { Environment } from '../tenant.js'
import { makeNameResolver, type ResolveName } from './resolve-name.js'
import {
  findTargetProblem,
  mayConnectTo,
  parseUrl,
  publicTargetRules,
  type TargetRules,
} from './target-rules.js'

export interface GuardOptions {
  environment: Environment
  /** Until the connection stands, resolving and TLS included. */
  connectTimeoutMs?: number
  resolve?: ResolveName
  /** For tests, which have no public address to listen on. */
  rules?: TargetRules
  /** Certificate authorities instead of the built-in ones; verification itself cannot be turned off. */
  ca?: string | Buffer
}

/**
 * The one answer to every target that is not allowed, and in production to a name that does not exist: what is behind
 * this machine's network or its name server must not be found out by comparing errors.
 */
export class TargetRefused extends Error {
  readonly code = 'target_refused'

  constructor() {
    super('The target is not allowed')
    this.name = 'TargetRefused'
  }
}

/** One for all agents of the process. */
const resolveByServers = makeNameResolver()

const defaultConnectTimeoutMs = 10_000

/** Node's own 250 ms drops a far host whose handshake takes longer; the first repeated SYN comes after 1 s. */
const nextAddressAfterMs = 1_200

/** An agent that checks every connection it makes. It follows no redirect and reads no proxy from the environment. */
export const makeGuardedAgent = (
  guard: GuardOptions,
  pool: Omit<Agent.Options, 'connect' | 'factory' | 'interceptors' | 'allowH2'> = {},
): Agent => new Agent({ ...pool, connect: makeGuardedConnect(guard) })

/**
 * The `connect` of a Pool or Client. A literal is checked here, since the socket asks nobody about it; a name is
 * resolved once, inside the socket, which connects to exactly the addresses that were checked. Host and SNI stay the
 * name.
 */
export function makeGuardedConnect(options: GuardOptions): buildConnector.connector {
  const { environment, rules = publicTargetRules } = options
  const connect = buildConnector({
    timeout: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
    // Said aloud, because NODE_TLS_REJECT_UNAUTHORIZED would decide otherwise.
    rejectUnauthorized: true,
    lookup: makeGuardedLookup(options.resolve ?? resolveByServers, environment, rules),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  })
  return (target, callback) => {
    const { hostname, protocol, port } = target
    const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname
    const url = parseUrl(`${protocol}//${host}:${port}`)
    if (url === null || findTargetProblem(url, environment, rules) !== null) {
      queueMicrotask(() => callback(new TargetRefused(), null))
      return
    }
    connect(target, callback)
  }
}

function makeGuardedLookup(
  resolve: ResolveName,
  environment: Environment,
  rules: TargetRules,
): LookupFunction {
  const resolveAllowed = callbackify(async (name: string): Promise<[LookupAddress, ...LookupAddress[]]> => {
    const [first, ...others] = await resolve(name).catch((error: NodeJS.ErrnoException) => {
      throw environment === 'production' && error.code === 'ENOTFOUND' ? new TargetRefused() : error
    })
    if (first === undefined) throw new TargetRefused()
    const isAllowed = [first, ...others].every(({ address }) => mayConnectTo(address, environment, rules))
    if (!isAllowed) throw new TargetRefused()
    return [first, ...others]
  })
  return (name, { all }, callback) =>
    resolveAllowed(name, (error, addresses) => {
      if (error !== null) callback(error, [])
      else if (all === true) callback(null, addresses)
      else callback(null, addresses[0].address, addresses[0].family)
    })
}
