import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replacePrivateFile } from '../private-file.js'
import { seal, unseal, type SealedPlace } from './sealing.js'

interface MasterKey {
  /** A fingerprint: says which key wrapped something and nothing about the key. */
  id: string
  bytes: Buffer
}

/**
 * The key above all tenant keys, and during a rotation the ones before it. It never touches a row of data: it only
 * wraps the tenants' keys. `load` is asked again for a key that is not known yet: a running service picks up a key
 * that a rotation has added to the file. What takes longer than a file is behind `loadAnew`, which `refresh` asks.
 */
export class MasterKeys {
  readonly #load: () => Buffer[]
  readonly #loadAnew: () => Promise<Buffer[]>
  #keys: readonly MasterKey[]
  #refreshing: Promise<void> | null = null

  constructor(load: () => Buffer[], loadAnew: () => Promise<Buffer[]> = async () => load()) {
    this.#load = load
    this.#loadAnew = loadAnew
    this.#keys = load().map(toMasterKey)
  }

  /** Asks the source again; whoever asks meanwhile waits for the same answer. What is known stays where it fails. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#readAnew().finally(() => {
      this.#refreshing = null
    })
    return this.#refreshing
  }

  async #readAnew(): Promise<void> {
    const keys = await this.#loadAnew()
    if (keys.length > 0) this.#keys = keys.map(toMasterKey)
  }

  get currentId(): string {
    return this.#current().id
  }

  has(id: string): boolean {
    return this.#find(id) !== null
  }

  wrap(place: SealedPlace, tenantKey: Buffer): Buffer {
    return seal({ version: 0, bytes: this.#current().bytes }, place, tenantKey)
  }

  unwrap(masterKeyId: string, place: SealedPlace, wrapped: Buffer): Buffer {
    const key = this.#find(masterKeyId)
    if (key === null) throw new Error(`master key ${masterKeyId} is not configured`)
    return unseal(() => ({ version: 0, bytes: key.bytes }), place, wrapped)
  }

  #current(): MasterKey {
    const [current] = this.#keys
    if (current === undefined) throw new Error('there is no master key')
    return current
  }

  #find(id: string): MasterKey | null {
    const known = this.#keys.find((key) => key.id === id)
    if (known !== undefined) return known
    this.#keys = this.#load().map(toMasterKey)
    return this.#keys.find((key) => key.id === id) ?? null
  }
}

function toMasterKey(bytes: Buffer): MasterKey {
  const id = createHash('sha256').update('casenote master key').update(bytes).digest('hex').slice(0, 16)
  return { id, bytes }
}

const masterKeyBytes = 32
const newMasterKeyText = (): string => randomBytes(masterKeyBytes).toString('base64')

function parseMasterKey(text: string): Buffer | null {
  const bytes = Buffer.from(text.trim(), 'base64')
  return bytes.length === masterKeyBytes ? bytes : null
}

/** A key, those before it, and room for some that were forgotten. */
const keysMax = 16

/** One key a line, the current one first. Null: something else. */
export function parseMasterKeys(text: string): Buffer[] | null {
  const keys = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseMasterKey)
  return keys.length === 0 || keys.length > keysMax || keys.includes(null) ? null : (keys as Buffer[])
}

const keyFile = (dataDir: string): string => join(dataDir, 'master.key')

/** One key a line, the current one first. Null: there is no key file. */
export function readMasterKeyFile(dataDir: string): Buffer[] | null {
  const text = readIfThere(keyFile(dataDir))
  if (text === null) return null
  const keys = parseMasterKeys(text)
  if (keys === null) throw new Error(`${keyFile(dataDir)} is damaged: restore it from a backup`)
  return keys
}

/** Puts a new key first and keeps the old ones, which are needed until everything is rewrapped. */
export async function addMasterKeyToFile(dataDir: string): Promise<void> {
  const existing = readIfThere(keyFile(dataDir)) ?? ''
  // Losing this file loses the data: durable before anything is wrapped with the new key.
  await replacePrivateFile(keyFile(dataDir), `${newMasterKeyText()}\n${existing}`)
}

export async function dropPreviousFromFile(dataDir: string): Promise<void> {
  const [current] = (readIfThere(keyFile(dataDir)) ?? '').split('\n')
  await replacePrivateFile(keyFile(dataDir), `${current}\n`)
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
