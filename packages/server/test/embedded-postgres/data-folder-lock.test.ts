import { rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockAddress } from '../../src/main/embedded-postgres/data-folder-lock.js'
import { DataFolderBusy, lockDataFolder } from '../../src/main/embedded-postgres/index.js'
import { nameLockSocket } from '../../src/main/embedded-postgres/lock-socket.js'
import { makeScratchFolder } from './scratch.js'

const url = 'http://localhost:8080'

describe('the lock of a data folder', () => {
  it('tells who has it', async () => {
    const dataDir = join(await makeScratchFolder(), 'data')
    const lock = await lockDataFolder(dataDir, { command: 'casenote start' })
    await expect(lockDataFolder(dataDir, { command: 'another' })).rejects.toMatchObject({
      message: `Casenote is already running on this data folder (pid ${process.pid}, casenote start)`,
    })

    lock.describe({ command: 'casenote start', url })
    const refusal = await lockDataFolder(dataDir, { command: 'another' }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(DataFolderBusy)
    expect(refusal).toMatchObject({ pid: process.pid, url, command: 'casenote start' })
    expect(String(refusal)).toContain(`(pid ${process.pid}, ${url})`)
    await lock.release()
  })

  it('is free again once released', async () => {
    const dataDir = join(await makeScratchFolder(), 'data')
    for (let round = 0; round < 3; round++)
      await (await lockDataFolder(dataDir, { command: 'test' })).release()
  })

  it('goes to exactly one of eight who ask at once', async () => {
    const dataDir = join(await makeScratchFolder(), 'data')
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => lockDataFolder(dataDir, { command: 'test' })),
    )
    const locks = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const refusals = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    )
    expect(locks).toHaveLength(1)
    expect(
      refusals.every((refusal) => refusal instanceof DataFolderBusy && refusal.pid === process.pid),
    ).toBe(true)
    await locks[0]?.release()
  })

  it('is one lock for every spelling of the folder', async () => {
    const folder = await makeScratchFolder()
    const lock = await lockDataFolder(join(folder, 'data'), { command: 'test' })
    await expect(lockDataFolder(`${folder}/./x/../data/`, { command: 'test' })).rejects.toThrow(
      DataFolderBusy,
    )
    await lock.release()
  })

  it('fills an abstract name to the last byte, as Node 20 pads what is shorter and Node 22 does not', () => {
    expect(Buffer.byteLength(nameLockSocket('/any/folder', 'linux'))).toBe(108)
    expect(Buffer.byteLength(nameLockSocket(`/${'long/'.repeat(90)}`, 'darwin'))).toBeLessThan(104)
  })

  it('takes over the path socket of a process that died', async () => {
    const address = join(await makeScratchFolder(), 'lock')
    await leaveDeadSocket(address)
    const lock = await lockAddress(address, { command: 'test' })
    await expect(lockAddress(address, { command: 'another' })).rejects.toMatchObject({ pid: process.pid })
    await lock.release()
    await (await lockAddress(address, { command: 'another' })).release()
  })
})

/** Node removes a socket it closes, unless the file has another name by then. */
async function leaveDeadSocket(path: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(`${path}-live`, resolve))
  await rename(`${path}-live`, path)
  await new Promise((resolve) => server.close(resolve))
}
