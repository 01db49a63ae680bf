import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  addMasterKeyToFile,
  dropUnneededFromFile,
  MasterKeys,
  readMasterKeyFile,
} from '../../src/kernel/secrets/master-keys.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casenote-test-'))
})
afterEach(() => rm(folder, { recursive: true }))

const keysThere = (): Buffer[] => readMasterKeyFile(folder) ?? []
const idOf = (key: Buffer): string => new MasterKeys(() => [key]).currentId

describe('the file of the master key', () => {
  it('keeps the newest key and what is still needed, and forgets the rest', async () => {
    for (let count = 0; count < 3; count += 1) await addMasterKeyToFile(folder)
    const [newest, second] = keysThere()
    if (newest === undefined || second === undefined) throw new Error('no keys')
    await dropUnneededFromFile(folder, idOf(newest), [idOf(newest), idOf(second)])
    expect(keysThere()).toEqual([newest, second])
    await dropUnneededFromFile(folder, idOf(newest), [idOf(newest)])
    expect(keysThere()).toEqual([newest])
    expect(await readdir(folder)).toEqual(['master.key'])
  })

  it('loses no key where a second rotation begins before the first has ended', async () => {
    await addMasterKeyToFile(folder)
    await addMasterKeyToFile(folder)
    const [wrappedWith] = keysThere()
    if (wrappedWith === undefined) throw new Error('no key')
    await addMasterKeyToFile(folder)
    const before = keysThere()
    await expect(dropUnneededFromFile(folder, idOf(wrappedWith), [idOf(wrappedWith)])).rejects.toThrow(
      'another rotation has begun',
    )
    expect(keysThere()).toEqual(before)
  })

  it('is changed by one process at a time, and takes no key more than it can be read with', async () => {
    await writeFile(join(folder, 'master.key.lock'), '1\n')
    await expect(addMasterKeyToFile(folder)).rejects.toThrow('another process is changing the master key')
    await rm(join(folder, 'master.key.lock'))
    for (let count = 0; count < 16; count += 1) await addMasterKeyToFile(folder)
    const text = await readFile(join(folder, 'master.key'), 'utf8')
    await expect(addMasterKeyToFile(folder)).rejects.toThrow('holds 16 keys')
    expect(await readFile(join(folder, 'master.key'), 'utf8')).toBe(text)
    expect(keysThere()).toHaveLength(16)
  })
})
