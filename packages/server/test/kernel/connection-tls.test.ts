import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/kernel/config.js'
import { connectionOf, isInTheOpen } from '../../src/kernel/db/connection-tls.js'
import { Database } from '../../src/kernel/db/database.js'
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
      ssl: ssl ?? false,
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

  it('stops a start with a mode that promises nothing, a file that is not there', () => {
    for (const parameters of [
      '?sslmode=prefer',
      '?sslmode=allow',
      '?sslmode=no-verify',
      '?sslmode=verify-full&sslrootcert=/nowhere',
    ]) {
      expect(() => readConfig({ DATABASE_URL: urlOf(parameters) })).toThrow(
        'DATABASE_URL must be a postgres:// URL',
      )
    }
  })
})
