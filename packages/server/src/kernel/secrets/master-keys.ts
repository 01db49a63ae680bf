import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../errno.js'
import type { MasterKeyId } from '../ids.js'
import { replacePrivateFile } from '../private-file.js'
import type { ClientKeySource } from './client-key-source.js'
import { seal, unseal, type SealedPlace } from './sealing.js'

interface MasterKey {
  /** A fingerprint: says which key wrapped something and nothing about the key. */
  id: MasterKeyId
  bytes: Buffer
}

/**
 * The key above all tenant keys, and during a rotation the ones before it. It never touches a row of data: it only
 * wraps the tenants' keys. `load` is asked again for a key that is not known yet: a running service picks up a key
 * that a rotation has added to the file. What takes longer than a file is behind `loadAnew`, which `refresh` asks. Decision 0002.
 */
export class MasterKeys {
  readonly #load: () => Buffer[]
  readonly #loadAnew: () => Promise<Buffer[]>
  #keys: readonly MasterKey[]
  #refreshing: Promise<void> | null = null
  /** What lies beside them, and is opened with them: null where nothing is sealed for one client alone (decision 0042). */
  clientKeys: ClientKeySource | null = null
  #listNeeded: (() => Promise<readonly string[]>) | null = null

  constructor(load: () => Buffer[], loadAnew: () => Promise<Buffer[]> = async () => load()) {
    this.#load = load
    this.#loadAnew = loadAnew
    this.#keys = load().map(toMasterKey)
  }

  /** From now on a new set is taken only if it holds every key that this lists. */
  require(listNeeded: () => Promise<readonly string[]>): void {
    this.#listNeeded = listNeeded
  }

  /**
   * Asks the source again; whoever asks meanwhile waits for the same answer. What is known stays where that fails, and where the
   * answer lacks a key that is needed: what would be written with a wrong key, nobody could open.
   */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#readAnew().finally(() => {
      this.#refreshing = null
    })
    return this.#refreshing
  }

  async #readAnew(): Promise<void> {
    const found = (await this.#loadAnew()).map(toMasterKey)
    if (found.length === 0) throw new Error('the source of the master key holds none')
    if (idsOf(found).join() === idsOf(this.#keys).join()) return
    const needed = (await this.#listNeeded?.()) ?? []
    const missing = needed.filter((id) => !idsOf(found).includes(id))
    if (missing.length === 0) {
      this.#keys = found
      return
    }
    // To open with, what is needed and there is taken all the same.
    const added = found.filter(({ id }) => needed.includes(id) && !idsOf(this.#keys).includes(id))
    this.#keys = [...this.#keys, ...added]
    throw new Error(
      `the source of the master key lacks key ${missing.join(' and ')}, which the database needs`,
    )
  }

  /** Looks at the source for a key that is not known: a rotation elsewhere may have wrapped with it. */
  async know(id: MasterKeyId): Promise<void> {
    if (!this.has(id)) await this.refresh()
  }

  get currentId(): MasterKeyId {
    return this.#current().id
  }

  has(id: MasterKeyId): boolean {
    return this.#find(id) !== null
  }

  wrap(place: SealedPlace, tenantKey: Buffer, masterKeyId = this.currentId): Buffer {
    return seal({ version: 0, bytes: this.#get(masterKeyId).bytes }, place, tenantKey)
  }

  unwrap(masterKeyId: MasterKeyId, place: SealedPlace, wrapped: Buffer): Buffer {
    const key = this.#get(masterKeyId)
    return unseal(() => ({ version: 0, bytes: key.bytes }), place, wrapped)
  }

  #get(masterKeyId: MasterKeyId): MasterKey {
    const key = this.#find(masterKeyId)
    if (key === null) throw new Error(`master key ${masterKeyId} is not configured`)
    return key
  }

  /** For what is minutes old and does not say which key wrapped it: a rotation may lie between. Null: none that is known opens it. */
  unwrapRecent(place: SealedPlace, wrapped: Buffer): Buffer | null {
    for (const key of this.#keys) {
      try {
        return unseal(() => ({ version: 0, bytes: key.bytes }), place, wrapped)
      } catch {
        // Another one's, or nobody's.
      }
    }
    return null
  }

  #current(): MasterKey {
    const [current] = this.#keys
    if (current === undefined) throw new Error('there is no master key')
    return current
  }

  #find(id: MasterKeyId): MasterKey | null {
    const known = this.#keys.find((key) => key.id === id)
    if (known !== undefined) return known
    const found = this.#load().map(toMasterKey)
    const added = found.find((key) => key.id === id)
    if (added === undefined) return null
    // A set that lacks one of those that are known is for `refresh` to judge.
    const isMore = this.#keys.every((key) => idsOf(found).includes(key.id))
    this.#keys = isMore ? found : [...this.#keys, added]
    return added
  }
}

const idsOf = (keys: readonly MasterKey[]): string[] => keys.map(({ id }) => id)

function toMasterKey(bytes: Buffer): MasterKey {
  const id = createHash('sha256').update('casenote master key').update(bytes).digest('hex').slice(0, 16)
  return { id, bytes }
}

const masterKeyBytes = 32
const newMasterKeyText = (): string => randomBytes(masterKeyBytes).toString('base64')

/** Strictly: Node's decoder skips what is not base64, and would make a key of a sentence. */
function parseMasterKey(text: string): Buffer | null {
  const bytes = Buffer.from(text.trim(), 'base64')
  const written = text.trim().replace(/=$/, '').replaceAll('-', '+').replaceAll('_', '/')
  const isWhole = bytes.toString('base64').replace(/=$/, '') === written
  return isWhole && bytes.length === masterKeyBytes ? bytes : null
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
export const addMasterKeyToFile = (dataDir: string): Promise<void> =>
  changeKeyFile(dataDir, (lines) => {
    if (lines.length === keysMax)
      throw new Error(
        `${keyFile(dataDir)} holds ${keysMax} keys: run "casenote keys rewrap" and drop older lines`,
      )
    return [newMasterKeyText(), ...lines]
  })

/**
 * Drops what nothing is wrapped with any more. Not where the first key is another than the one that everything was just wrapped
 * with: another rotation has begun, and the keys of this one may be all that opens the data.
 */
export const dropUnneededFromFile = (
  dataDir: string,
  currentId: MasterKeyId,
  needed: readonly MasterKeyId[],
): Promise<void> =>
  changeKeyFile(dataDir, (lines) => {
    const idOfLine = (line: string): MasterKeyId => toMasterKey(Buffer.from(line, 'base64')).id
    if (lines[0] === undefined || idOfLine(lines[0]) !== currentId)
      throw new Error('another rotation has begun meanwhile: all keys are kept until it ends')
    return lines.filter((line) => idOfLine(line) === currentId || needed.includes(idOfLine(line)))
  })

/** One process at a time: whoever read a file that another has replaced since would forget the other's key. */
async function changeKeyFile(dataDir: string, change: (lines: string[]) => string[]): Promise<void> {
  const lock = `${keyFile(dataDir)}.lock`
  try {
    await writeFile(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
    throw new Error(`another process is changing the master key. If none is, delete ${lock}`, {
      cause: error,
    })
  }
  try {
    const text = readIfThere(keyFile(dataDir)) ?? ''
    const lines = change(text.split('\n').filter((line) => line.trim() !== ''))
    // Losing this file loses the data: durable before anything is wrapped with a new key.
    await replacePrivateFile(keyFile(dataDir), `${lines.join('\n')}\n`)
  } finally {
    await rm(lock, { force: true })
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}
