import { readFileSync } from 'node:fs'
import { createServer as createWebServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer, isIPv6, Socket, type AddressInfo, type Server } from 'node:net'
import type { ResolveName } from '../../src/kernel/guarded-fetch/resolve-name.js'
import { publicTargetRules, type TargetRules } from '../../src/kernel/guarded-fetch/target-rules.js'
import { forbiddenAnswers } from './forbidden-hosts.js'

/**
 * The loopback address in a spelling that no URL parser and no name server yields: the tests may call it public, and
 * still no entry of the forbidden list can lead there.
 */
export const publicAddress = '0:0:0:0:0:ffff:7f00:1'

export const readPem = (name: string): string =>
  readFileSync(new URL(`tls/${name}.pem`, import.meta.url), 'utf8')

export const rulesWithPorts = (...ports: number[]): TargetRules => ({
  ports: new Set(ports.map(String)),
  isPublicAddress: (address) => address === publicAddress || publicTargetRules.isPublicAddress(address),
})

/** Names of the forbidden list as it has them, the machine's own as they are, every other name as the public server. */
export const resolveInTest: ResolveName = (name) => {
  const isOwn = /(^|\.)localhost(\.localdomain)?\.?$/.test(name)
  const addresses = forbiddenAnswers[name] ?? (isOwn ? ['127.0.0.1'] : [publicAddress])
  return Promise.resolve(addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })))
}

export interface Listener {
  port: number
  close(): Promise<void>
}

export interface Canary extends Listener {
  connections: number
}

/** Counts whatever reaches this machine on its port, by any address. */
export async function startCanary(): Promise<Canary> {
  const server = createServer((socket) => {
    canary.connections += 1
    socket.on('error', () => {})
    socket.destroy()
  })
  const canary: Canary = { ...(await listen(server, '::')), connections: 0 }
  return canary
}

export const startTlsServer = (
  listener: RequestListener,
  certificate = 'server',
): Promise<Listener & { address: string }> => {
  const pem = readPem(certificate)
  return listen(createTlsServer({ cert: pem, key: pem }, listener), '127.0.0.1')
}

export const startWebServer = (listener: RequestListener): Promise<Listener & { address: string }> =>
  listen(createWebServer(listener), '127.0.0.1')

export async function listen(server: Server, host: string): Promise<Listener & { address: string }> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  const { port, address } = server.address() as AddressInfo
  return {
    port,
    address,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Every address that any socket of this process tries, reached or not. */
export function watchAttempts(): { addresses: string[]; stop(): void } {
  // oxlint-disable-next-line typescript/unbound-method -- called with the socket as `this`
  const original = Socket.prototype.connect
  const addresses: string[] = []
  Socket.prototype.connect = function connect(this: Socket, ...args: unknown[]) {
    this.on('connectionAttempt', (address: string) => addresses.push(address))
    return Reflect.apply(original, this, args) as Socket
  }
  return { addresses, stop: () => void (Socket.prototype.connect = original) }
}
