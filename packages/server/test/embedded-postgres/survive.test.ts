import { spawn } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lockDataFolder } from '../../src/main/embedded-postgres/index.js'
import { isAlive } from '../../src/main/embedded-postgres/postmaster.js'
import { isRoot, killNow, makeDataDir, query, spawnHolder, startQuietly, waitUntil } from './scratch.js'

describe('the embedded PostgreSQL', () => {
  it('is started by one of two processes, and the other learns which', async () => {
    const dataDir = await makeDataDir()
    const holders = [spawnHolder(dataDir), spawnHolder(dataDir)]
    const answers = await Promise.all(holders.map((holder) => holder.answer))
    const winner = answers.findIndex((answer) => answer.postmasterPid)
    const pid = holders[winner]?.child.pid
    expect(answers[1 - winner]).toEqual({
      refusal: 'DataFolderBusy',
      text: `Casenote is already running on this data folder (pid ${pid}, http://localhost:8080)`,
      holderPid: pid,
    })
  })

  it('outlives kill -9 of its process, is adopted by the next, supervised and stopped by it', async () => {
    const dataDir = await makeDataDir()
    const { child, answer } = spawnHolder(dataDir)
    const { postmasterPid } = await answer
    await killNow(child)

    const lock = await lockDataFolder(dataDir, { command: 'test' })
    const said: string[] = []
    const adopted = await startQuietly(dataDir, said)
    expect(adopted.pid()).toBe(postmasterPid)
    expect(said).toContain(`Adopted the running PostgreSQL (pid ${postmasterPid})`)

    process.kill(adopted.pid(), 'SIGKILL')
    await waitUntil(() => adopted.pid() !== postmasterPid)
    expect(await query(adopted.migrateUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    const pid = adopted.pid()
    await adopted.stop()
    expect(isAlive(pid)).toBe(false)
    await lock.release()
  })

  it('is started again on the same URL after kill -9 of the postmaster, even during a query', async () => {
    const dataDir = await makeDataDir()
    const postgres = await startQuietly(dataDir)
    const orphanPid = await startEndlessQuery(postgres.migrateUrl)
    const pid = postgres.pid()
    process.kill(pid, 'SIGKILL')
    await waitUntil(() => postgres.pid() !== pid)
    expect(await query(postgres.migrateUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(isAlive(orphanPid)).toBe(false)
    await postgres.stop()
    expect(isAlive(postgres.pid())).toBe(false)
  })

  it('can be stopped while it is being started again', async () => {
    const dataDir = await makeDataDir()
    const postgres = await startQuietly(dataDir)
    process.kill(postgres.pid(), 'SIGKILL')
    await waitUntil(() => !isAlive(postgres.pid()))
    await postgres.stop()
    expect(isAlive(postgres.pid())).toBe(false)
    await (await startQuietly(dataDir)).stop()
  })

  it('starts although another process of its user has the pid of the dead one', async () => {
    const dataDir = await makeDataDir()
    const first = await startQuietly(dataDir)
    const pidFile = join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
    const lines = await readFile(pidFile, 'utf8')
    await first.stop()
    const { uid } = await stat(join(dataDir, 'postgres', 'cluster'))
    const stranger = spawn('sleep', ['60'], isRoot ? { uid } : {})
    onTestFinished(() => killNow(stranger))
    await writeFile(pidFile, lines.replace(/^\d+/, String(stranger.pid)))

    const second = await startQuietly(dataDir)
    expect(second.pid()).not.toBe(stranger.pid)
    expect(await query(second.migrateUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    await second.stop()
    expect(stranger.exitCode).toBeNull()
  })
})

/** A backend that computes does not notice its postmaster's death. Returns its pid once it is at work. */
async function startEndlessQuery(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  client.query('select count(*) from generate_series(1, 1e12::bigint)').catch(() => undefined)
  const pid = rows[0]?.pid ?? -1
  await waitUntil(async () => {
    const [row] = await query<{ state: string }>(url, `select state from pg_stat_activity where pid = ${pid}`)
    return row?.state === 'active'
  })
  return pid
}
