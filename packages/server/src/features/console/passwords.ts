import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { refuse } from '../../kernel/refuse.js'

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** OWASP's choice of 2024 for scrypt: 128 MiB and some 300 ms in a thread of Node's pool, not on the event loop. */
const cost: ScryptOptions = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** Two of Node's four threads and 256 MiB; some more wait, and whoever comes then is told. */
const atOnceMax = 2
const waitingMax = 20

const waiting: (() => void)[] = []
/** Each has one that runs or waits: whoever tries passwords keeps nobody else from theirs. */
const networks = new Set<string>()
let running = 0

export interface HashedPassword {
  salt: Buffer
  hash: Buffer
}

export async function hashPassword(password: string, network: string): Promise<HashedPassword> {
  const salt = randomBytes(16)
  return { salt, hash: await derive(password, salt, network) }
}

/** A password of nobody: comparing with it takes the same time, and is never right. */
const nobodys = { salt: Buffer.alloc(16), hash: Buffer.alloc(32) }

export async function isPassword(
  password: string,
  known: HashedPassword | null,
  network: string,
): Promise<boolean> {
  const { salt, hash } = known ?? nobodys
  const isEqual = timingSafeEqual(await derive(password, salt, network), hash)
  return isEqual && known !== null
}

/** Derives a hash from a password as people type it, whatever keyboard: NFKC, as RFC 8265 has it. */
async function derive(password: string, salt: Buffer, network: string): Promise<Buffer> {
  if (networks.has(network) || (running >= atOnceMax && waiting.length >= waitingMax))
    throw refuse.busy('busy', 'Too many sign-ins at once', 1)
  networks.add(network)
  // Whoever is done hands the place on.
  if (running >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await scryptAsync(password.normalize('NFKC'), salt, 32, cost)
  } finally {
    networks.delete(network)
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}
