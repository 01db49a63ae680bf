import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { Config } from '../../src/kernel/config.js'
import type { Log } from '../../src/kernel/log.js'
import { MasterKeys, parseMasterKeys } from '../../src/kernel/secrets/master-keys.js'
import { runKeyCommand } from '../../src/main/run-key-command.js'
import { watchMasterKeys } from '../../src/main/watch-master-keys.js'
import {
  freePort,
  makeDataFolder,
  runCasenote,
  startCasenote,
  waitUntil,
  CasenoteProcess,
} from '../support/casenote-process.js'

const newKey = (): string => randomBytes(32).toString('base64')

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgres').superuserUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}

describe('a master key is rotated while the service runs', () => {
  let database: string
  let folder: { path: string; remove(): Promise<void> }
  let keyFile: string
  let env: Record<string, string>

  beforeEach(async () => {
    const { databaseUrl, migrateUrl } = inject('postgres')
    database = `keys_${randomBytes(6).toString('hex')}`
    const into = (url: string): string => url.replace(/\/[a-z_]+\?/, `/${database}?`)
    await asSuperuser(`create database ${database} owner casenote_owner`)
    folder = await makeDataFolder()
    keyFile = `${folder.path}.keys`
    env = {
      DATABASE_URL: into(databaseUrl),
      CASENOTE_MIGRATE_URL: into(migrateUrl),
      CASENOTE_DATA_DIR: folder.path,
    }
  })
  afterEach(async () => {
    await asSuperuser(`drop database ${database} with (force)`)
    await folder.remove()
  })

  const credentials = async (): Promise<Record<'apiKey' | 'clientId' | 'clientSecret', string>> =>
    JSON.parse(await readFile(join(folder.path, 'sandbox-credentials.json'), 'utf8')) as never

  /** Tokens are signed with a key that the master key wraps. */
  async function authenticate(url: string): Promise<{ 'x-api-key': string; 'access-token': string }> {
    const { apiKey, clientId, clientSecret } = await credentials()
    const answer = await fetch(`${url}/v2/partners/authenticate`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ clientId, clientSecret }),
    })
    expect(answer.status).toBe(200)
    const { accessToken } = (await answer.json()) as { accessToken: string }
    return { 'x-api-key': apiKey, 'access-token': accessToken }
  }

  async function rotate(source: Record<string, string>, learns: (service: CasenoteProcess) => Promise<void>) {
    const [first, second] = [newKey(), newKey()]
    await writeFile(keyFile, `${first}\n`)
    const all = { ...env, ...source }
    const { process: service, url } = await startCasenote(all)
    const headers = await authenticate(url)
    const call = async (sent: Record<string, string>): Promise<number> =>
      (await fetch(`${url}/v2/partners`, { headers: sent })).status
    expect(await call(headers)).toBe(200)

    await writeFile(keyFile, `${second}\n${first}\n`)
    await learns(service)
    expect(await call(headers)).toBe(200)
    const rewrapped = await runCasenote(['keys', 'rewrap'], all)
    expect([rewrapped.code, rewrapped.stdout]).toEqual([
      0,
      expect.stringMatching(/^[1-9]\d* keys are wrapped/),
    ])
    await writeFile(keyFile, `${second}\n`)
    // A key that nobody has seen yet, wrapped with the second one: the service must read it to refuse what the others signed.
    for (const command of ['rotate', 'retire']) {
      expect((await runCasenote(['keys', command, '--purpose', 'token'], all)).code).toBe(0)
    }
    await waitUntil(async () => (await call(headers)) === 401, 'the token of before is refused')
    expect(await call(await authenticate(url))).toBe(200)

    const ended = await service.end('SIGTERM')
    expect(ended.code).toBe(0)
    for (const key of [first, second]) expect(ended.stdout + ended.stderr).not.toContain(key)
    // A start that finds the first one alone is refused: it opens nothing any more.
    await writeFile(keyFile, `${first}\n`)
    const old = await runCasenote(['api'], { ...all, PORT: String(await freePort()) })
    expect([old.code, old.stderr]).toEqual([1, expect.stringContaining('wrong master key')])
  }

  it('from a file: it is looked at again by itself', async () => {
    await rotate({ CASENOTE_MASTER_KEY_FILE: keyFile }, (service) =>
      waitUntil(
        async () => service.output.includes('the master key is another one now'),
        'the key is seen',
        20_000,
      ),
    )
  })

  it('from a command: SIGHUP has it run again', async () => {
    const program = `${folder.path}.command`
    await writeFile(
      program,
      `#!${process.execPath}\nprocess.stdout.write(require('fs').readFileSync(process.argv[2]))\n`,
    )
    await chmod(program, 0o755)
    const command = JSON.stringify([process.execPath, program, keyFile])
    await rotate({ CASENOTE_MASTER_KEY_COMMAND: command }, (service) => {
      service.child.kill('SIGHUP')
      return waitUntil(
        async () => service.output.includes('the master key is another one now'),
        'it is asked',
        20_000,
      )
    })
  })

  it('from a command that nobody asked again: a key that is not known is asked for', async () => {
    const command = JSON.stringify([
      process.execPath,
      '-e',
      "process.stdout.write(require('fs').readFileSync(process.argv[1]))",
      keyFile,
    ])
    await rotate({ CASENOTE_MASTER_KEY_COMMAND: command }, async () => {})
  })
})

describe('a set of master keys that is read again', () => {
  const [first, second, wrong] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const idOf = (key: Buffer): string => new MasterKeys(() => [key]).currentId
  let source: Buffer[] = []
  const open = (needed: string[]): MasterKeys => {
    source = [first]
    const keys = new MasterKeys(() => source)
    keys.require(async () => needed)
    return keys
  }

  it('is taken if it holds every key that the database needs', async () => {
    const keys = open([idOf(first)])
    source = [second, first]
    await keys.refresh()
    expect(keys.currentId).toBe(idOf(second))
  })

  it('is not taken if it lacks one: what is known stays, and opens and wraps', async () => {
    const keys = open([idOf(first)])
    const place = { tenantId: 'tenant', table: 'test', row: 'row', column: 'test' }
    const wrapped = keys.wrap(place, Buffer.from('secret'))
    for (const answer of [[wrong], [wrong, second], []]) {
      source = answer
      await expect(keys.refresh()).rejects.toThrow('the source of the master key')
      expect(keys.currentId).toBe(idOf(first))
      expect(keys.unwrap(idOf(first), place, wrapped).toString()).toBe('secret')
    }
  })

  it('adds the key that a row names, although another one that is needed is gone', async () => {
    const keys = open([idOf(first), idOf(second)])
    source = [second]
    await expect(keys.refresh()).rejects.toThrow(`lacks key ${idOf(first)}`)
    expect([keys.has(idOf(second)), keys.currentId]).toEqual([true, idOf(first)])
  })

  it('is told once where it is not taken, and ends nothing', async () => {
    const said: string[] = []
    const tell = (_: object, text: string) => said.push(text)
    const keys = open([idOf(first)])
    const config = { masterKey: { from: 'files', paths: [] } } as unknown as Config
    const watch = watchMasterKeys(keys, { config, log: { info: tell, error: tell } as unknown as Log })
    const look = async (): Promise<void> => {
      process.emit('SIGHUP')
      await keys.refresh().catch(() => {})
      await new Promise(setImmediate)
    }
    source = [wrong]
    await look()
    await look()
    source = [second, first]
    await look()
    watch.stop()
    expect(said).toEqual([
      'no other master key was taken: the ones that are known stay',
      'the master key is another one now',
    ])
  })

  it('is made of keys alone: a sentence, or a key with something in it, is none', () => {
    const key = first.toString('base64')
    expect(parseMasterKeys(`${key}\n${key.replace('=', '')}\n`)).toEqual([first, first])
    const sentence = 'Error: permission denied on secret master key vault'
    // As long as a key, for a decoder that skips what it does not know.
    expect(Buffer.from(sentence, 'base64')).toHaveLength(32)
    for (const text of [`${key.slice(0, 20)} ${key.slice(20)}`, `-${key}`, sentence])
      expect([text, parseMasterKeys(text)]).toEqual([text, null])
  })
})

it('a master key in the environment stays, and SIGHUP ends nothing', () => {
  const said: string[] = []
  const log = { info: (_: object, text: string) => said.push(text) } as unknown as Log
  const key = randomBytes(32)
  const config = { masterKey: { from: 'environment', keys: [key] } } as unknown as Config
  const watch = watchMasterKeys(new MasterKeys(() => [key]), { config, log })
  process.emit('SIGHUP')
  watch.stop()
  expect(said).toEqual(['the master key is in the environment: a new one is taken by a restart'])
})

it('SIGHUP ends no service that is still starting', async () => {
  // Takes connections and never says a word: the start waits for it.
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const url = `postgres://casenote_api@127.0.0.1:${port}/casenote`
  const folder = await makeDataFolder()
  const service = new CasenoteProcess(['api'], {
    DATABASE_URL: url,
    CASENOTE_DATA_DIR: folder.path,
    PORT: String(await freePort()),
  })
  const [socket] = (await once(silent, 'connection')) as [Socket]
  service.child.kill('SIGHUP')
  const { code, stdout } = await service.end('SIGTERM')
  expect([code, stdout]).toEqual([0, expect.stringContaining('stopping before the start was over')])
  socket.destroy()
  silent.close()
  await folder.remove()
})

describe('the command for the master key', () => {
  const run = (script: string, ...args: string[]) =>
    runKeyCommand({ words: [process.execPath, '-e', script, ...args], env: {} })

  it('prints keys, the current one first', async () => {
    const keys = [newKey(), newKey()]
    const found = await run(`process.stdout.write(${JSON.stringify(keys.join('\n'))})`)
    expect(found.map((key) => key.toString('base64'))).toEqual(keys)
  })

  it('gets its words as they are', async () => {
    const key = newKey()
    const word = '$(id) `id` ; * "'
    const script = `if (process.argv[1] === ${JSON.stringify(word)}) process.stdout.write('${key}')`
    await expect(run(script, word)).resolves.toHaveLength(1)
  })

  it('that fails is told by how, never by what it said', async () => {
    const said = "process.stderr.write('hunter2'); process.stdout.write('hunter2');"
    const problems = [
      [`${said} process.exitCode = 3`, 'CASENOTE_MASTER_KEY_COMMAND ended with 3'],
      [said, 'CASENOTE_MASTER_KEY_COMMAND printed something else'],
      ["process.stdout.write('A'.repeat(5000))", 'CASENOTE_MASTER_KEY_COMMAND printed more than 4096 bytes'],
    ] as const
    for (const [script, problem] of problems) {
      await expect(run(script)).rejects.toThrow(problem)
      await expect(run(script)).rejects.not.toThrow('hunter2')
    }
    await expect(runKeyCommand({ words: ['/nowhere/vault'], env: {} })).rejects.toThrow(
      'cannot be run (ENOENT)',
    )
  })

  it('that takes too long is ended with all that it started', async () => {
    const script = `
      const { spawn } = require('child_process')
      const vault = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
      require('fs').writeFileSync(process.argv[1], String(vault.pid))
      setInterval(() => {}, 1000)`
    const folder = await makeDataFolder()
    const file = `${folder.path}.pid`
    const late = runKeyCommand({ words: [process.execPath, '-e', script, file], env: {} }, 3_000)
    await expect(late).rejects.toThrow('CASENOTE_MASTER_KEY_COMMAND took longer than 3 s')
    const pid = Number(await readFile(file, 'utf8'))
    await waitUntil(async () => hasEnded(pid), 'what the command started has ended')
    await folder.remove()
  })

  it('that a signal ended is told so', async () => {
    await expect(run("process.kill(process.pid, 'SIGKILL')")).rejects.toThrow(
      'CASENOTE_MASTER_KEY_COMMAND was ended by SIGKILL',
    )
  })
})

/** A zombie, too, if nobody here collects orphans. */
async function hasEnded(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
    return /^State:\s+Z/m.test(await readFile(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}
