import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../src/kernel/config.js'
import { connectionOf, isInTheOpen, libpqVariablesOf } from '../../src/kernel/db/connection-tls.js'
import { Database } from '../../src/kernel/db/database.js'
import { makeRoles } from '../../src/kernel/db/roles.js'
import { findTool, runTool } from '../../src/main/backup/postgres-tools.js'
import { withOpenConnection } from '../../src/main/backup/snapshot.js'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/main/embedded-postgres/index.js'
import { makeAuthority, makeCertificate } from '../support/certificates.js'

/** Of its own for this file: the server's port is the same for all, and all of 127.0.0.0/8 is this machine. */
const address = '127.83.84.85'
const name = 'db.casenote.test'

let folder: string
let server: EmbeddedPostgres
let authority: string
let otherAuthority: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casenote-test-'))
  await chmod(folder, 0o711)
  const signer = await makeAuthority('Signer')
  const other = await makeAuthority('Somebody else')
  const { certificate, key } = await makeCertificate(signer, name)
  const write = async (file: string, text: string): Promise<string> => {
    await writeFile(join(folder, file), text)
    return join(folder, file)
  }
  authority = await write('ca.pem', signer.pem)
  otherAuthority = await write('other-ca.pem', other.pem)
  // Set in a second step: the server refuses a key that is not its own user's, and that user is known when it runs.
  server = await startEmbeddedPostgres({
    dataDir: join(folder, 'data'),
    log: { info: () => {}, warn: () => {} },
    settings: { fsync: 'off', listen_addresses: address },
  })
  const superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
  for (const [file, text] of [
    ['server.crt', certificate],
    ['server.key', key],
  ] as const) {
    await superuser.query(`copy (select unnest(string_to_array(${superuser.escapeLiteral(text.trim())}, e'\\n'))) to program
      'umask 077; cat > ${file}'`)
  }
  await superuser.query('alter system set ssl = on')
  await superuser.query('select pg_reload_conf()')
  await superuser.end()
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The services' login, over the network. */
function urlOf(parameters: string, host = address): string {
  const [, password = ''] = /:([^:@]+)@/.exec(server.migrateUrl) ?? []
  return `postgres://casenote_owner:${password}@${host}/casenote${parameters}`
}

async function isEncrypted(url: string): Promise<boolean> {
  const db = new Database({ url, poolSize: 1, applicationName: 'test', onConnectionError: () => {} })
  try {
    const [row] = await db.throughDoor<{ ssl: boolean }>({
      text: 'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
      values: [],
    })
    return row?.ssl === true
  } finally {
    await db.end()
  }
}

describe('what PostgreSQL’s own programs are given', () => {
  const noSecret = 'p@ss:w/rd ?'
  const host = 'db.casenote.test'
  const url = (more: string) => `postgres://owner:${encodeURIComponent(noSecret)}@${host}:5433/notes${more}`

  it('is the connection, in variables, and never a URL or a password among the words', async () => {
    const program = join(folder, 'program')
    const said = join(folder, 'said.json')
    await writeFile(
      program,
      `#!${process.execPath}\nrequire('fs').writeFileSync('${said}', JSON.stringify({ words: process.argv.slice(2), env: process.env }))\n`,
    )
    await chmod(program, 0o755)
    vi.stubEnv('PGSSLMODE', 'disable')
    vi.stubEnv('PGHOSTADDR', '192.0.2.1')
    vi.stubEnv('PGSERVICE', 'another')
    vi.stubEnv('CASENOTE_MASTER_KEY', 'key')
    for (const target of [
      url(`?sslmode=verify-full&sslrootcert=${authority}`),
      `postgres://owner@${host}:5433/notes?password=${encodeURIComponent(noSecret)}&sslrootcert=${authority}`,
    ]) {
      await runTool(program, ['--format=custom'], target)
      const { words, env } = JSON.parse(await readFile(said, 'utf8')) as {
        words: string[]
        env: Record<string, string>
      }
      expect(words).toEqual(['--format=custom', "--dbname=dbname='notes'"])
      const given = Object.entries(env).filter(([variable]) => /^(?:PG|CASENOTE)/.test(variable))
      expect(Object.fromEntries(given)).toEqual({
        PGDATABASE: 'notes',
        PGGSSENCMODE: 'disable',
        PGHOST: host,
        PGPASSWORD: noSecret,
        PGPORT: '5433',
        PGSSLMINPROTOCOLVERSION: 'TLSv1.2',
        PGSSLMODE: 'verify-full',
        PGSSLROOTCERT: authority,
        PGUSER: 'owner',
      })
    }
    vi.unstubAllEnvs()
  })

  it('verifies as much as pg does, or more', () => {
    const of = (more: string) => {
      const { PGSSLMODE: mode, PGSSLROOTCERT: root } = libpqVariablesOf(url(more))
      return [mode, root]
    }
    expect(of('')).toEqual(['disable', undefined])
    expect(of('?sslmode=disable')).toEqual(['disable', undefined])
    expect(of('?sslmode=require')).toEqual(['verify-full', 'system'])
    expect(of('?sslmode=verify-ca')).toEqual(['verify-full', 'system'])
    expect(of('?sslmode=verify-ca&sslrootcert=/ca.pem')).toEqual(['verify-ca', '/ca.pem'])
    expect(() => of('?sslmode=prefer')).toThrow('sslmode')
  })

  it('has the real ones refuse a server that another authority signed', async ({ skip }) => {
    const tool = await findTool(process.env.PATH ?? '', 'pg_dump')
    skip(tool === null, 'pg_dump is not installed')
    const dump = (file: string) =>
      runTool(
        tool?.path ?? '',
        ['--schema-only', `--file=${join(folder, 'dump')}`],
        urlOf(`?sslmode=verify-ca&sslrootcert=${file}`),
      )
    await expect(dump(otherAuthority)).rejects.toThrow('certificate verify failed')
    // An older one ends because of the server's version, once it is connected.
    const ended = await dump(authority).catch((error: Error) => error.message)
    expect(ended ?? '').not.toContain('certificate')
  })
})

describe('TLS to the database', () => {
  it('is there for a certificate that the named authority signed', async () => {
    await expect(isEncrypted(urlOf(`?sslmode=verify-ca&sslrootcert=${authority}`))).resolves.toBe(true)
  })

  it('is refused with another authority, and with none', async () => {
    for (const parameters of [
      `?sslmode=verify-ca&sslrootcert=${otherAuthority}`,
      '?sslmode=verify-full',
      '?sslmode=require',
      '?ssl=true',
    ]) {
      await expect(isEncrypted(urlOf(parameters))).rejects.toThrow()
    }
  })

  it('is refused for a host that the certificate is not for, even by its address; `require` asks for that, too', async () => {
    for (const mode of ['verify-full', 'require']) {
      const options = connectionOf(urlOf(`?sslmode=${mode}&sslrootcert=${authority}`))
      const client = new pg.Client(options)
      await expect(client.connect()).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    }
  })

  it('is there for the host of the certificate', async () => {
    const { ssl, connectionString } = connectionOf(
      urlOf(`?sslmode=verify-full&sslrootcert=${authority}`, name),
    )
    // No name server knows it.
    const client = new pg.Client({
      connectionString: connectionString.replace(name, address),
      ssl,
    })
    await client.connect()
    const { rows } = await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    await client.end()
    expect(rows).toEqual([{ ssl: true }])
  })

  it('is what CASENOTE_DATABASE_CA makes of a URL that says nothing', async () => {
    const read = (url: string) =>
      readConfig({ DATABASE_URL: url, CASENOTE_DATABASE_CA: authority }).databaseUrl ?? ''
    expect(connectionOf(read(urlOf(''))).ssl).toMatchObject({ rejectUnauthorized: true })
    await expect(isEncrypted(read(urlOf('?sslmode=verify-ca')))).resolves.toBe(true)
    expect(connectionOf(read(urlOf('?sslmode=disable'))).ssl).toBe(false)
    expect(read(server.databaseUrl)).toBe(server.databaseUrl)
  })

  it('is not there without a word about it, nor where it is disabled', async () => {
    await expect(isEncrypted(urlOf(''))).resolves.toBe(false)
    await expect(isEncrypted(urlOf('?sslmode=disable'))).resolves.toBe(false)
    expect(
      [urlOf(''), urlOf('', 'db.internal'), urlOf('?sslmode=verify-full', 'db.internal')].map(isInTheOpen),
    ).toEqual([false, true, false])
  })

  it('is meant by whoever names a certificate', () => {
    for (const parameters of [`?sslcert=${authority}`, `?sslkey=${authority}`, `?sslrootcert=${authority}`])
      expect(connectionOf(urlOf(parameters)).ssl).toMatchObject({ rejectUnauthorized: true })
  })

  it('is what the URL says, whatever the environment says', () => {
    for (const [mode, negotiation] of [
      ['no-verify', 'direct'],
      ['disable', 'postgres'],
      ['require', 'nonsense'],
    ]) {
      vi.stubEnv('PGSSLMODE', mode)
      vi.stubEnv('PGSSLNEGOTIATION', negotiation)
      const sslOf = (parameters: string): unknown => {
        const { connection } = new pg.Client(connectionOf(urlOf(parameters))) as unknown as {
          connection: { ssl: unknown }
        }
        return connection.ssl
      }
      expect([sslOf(''), sslOf('?ssl=0'), sslOf('?ssl=false')]).toEqual([false, false, false])
      for (const parameters of ['?ssl=1', '?sslmode=verify-full', '?sslmode=require'])
        expect(sslOf(parameters)).toMatchObject({ rejectUnauthorized: true })
      vi.unstubAllEnvs()
    }
  })

  it('is asked for by backups and by what makes roles, too', async () => {
    const wrong = urlOf(`?sslmode=verify-ca&sslrootcert=${otherAuthority}`)
    const right = urlOf(`?sslmode=verify-ca&sslrootcert=${authority}`)
    const ask = (url: string) =>
      withOpenConnection(url, (connection) =>
        connection.ask({ text: 'select ssl from pg_stat_ssl where pid = pg_backend_pid()', values: [] }),
      )
    await expect(ask(right)).resolves.toEqual([{ ssl: true }])
    await expect(ask(wrong)).rejects.toThrow('certificate')
    const roles = { migrateUrl: wrong, databaseUrl: null, dispatcherUrl: null, report: () => {} }
    await expect(makeRoles(roles)).rejects.toThrow('certificate')
  })

  it('is asked for by whatever connects: nothing hands pg a URL past connectionOf', async () => {
    const source = fileURLToPath(new URL('../../src/', import.meta.url))
    const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith('.ts'))
    const bare: string[] = []
    for (const file of files) {
      const text = await readFile(join(source, file), 'utf8')
      if (
        text.includes('connectionString') ||
        /new (?:pg\.)?(?:Client|Pool)\((?!\{\s*\.\.\.connectionOf|connectionOf)/.test(text)
      )
        bare.push(file)
    }
    // The one that reads URLs, and the embedded server's own, on a socket.
    expect(bare.toSorted()).toEqual(['kernel/db/connection-tls.ts', 'main/embedded-postgres/connection.ts'])
  })

  it('stops a start with a mode that promises nothing, a file that is not there', () => {
    for (const parameters of [
      '?sslmode=prefer',
      '?sslmode=allow',
      '?sslmode=no-verify',
      '?sslmode=verify-full&sslrootcert=/nowhere',
      '?ssl=no-verify',
      '?ssl=require',
      '?ssl=TRUE',
      '?ssl=',
      '?sslmode=verify-full&ssl=maybe',
      '?sslmode=verify-full&sslnegotiation=direct',
    ]) {
      expect(() => readConfig({ DATABASE_URL: urlOf(parameters) })).toThrow(
        'DATABASE_URL must be a postgres:// URL',
      )
    }
  })
})
