import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, waitUntil } from '../support/casenote-process.js'
import { makeTestDatabase, type TestDatabase } from '../support/test-database.js'
import { makeReceiver, type Receiver } from '../webhooks/dispatch-fixture.js'
import { readContainerfile, readDockerignore } from './containerfile.js'
import { readComposed, readUnit, type Command, type Deployed } from './deployed-roles.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const run = promisify(execFile)

/** Somebody who owns nothing here, and is known everywhere: initdb asks for a name. */
const stranger = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

let folder: string
let made: string
let unpacked: string

const listFiles = (from: string): string[] =>
  readdirSync(from, { recursive: true, encoding: 'utf8' })
    .filter((name) => !lstatSync(join(from, name)).isDirectory())
    .toSorted()

const sumOf = (path: string): string =>
  lstatSync(path).isSymbolicLink()
    ? `link to ${readlinkSync(path)}`
    : createHash('sha256').update(readFileSync(path)).digest('hex')

const takeStock = (from: string): string[] =>
  listFiles(from).map((name) => `${sumOf(join(from, name))}  ${name}`)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casenote-test-'))
  await chmod(folder, 0o711)
  await run(process.execPath, [join(root, 'bin/release.js'), '--out', join(folder, 'made')])
  const archive = readdirSync(join(folder, 'made')).find((name) => name.endsWith('.tar.gz')) ?? ''
  made = join(folder, 'made', basename(archive, '.tar.gz'))
  // An empty place that holds nothing but what the archive brings.
  await mkdir(join(folder, 'empty'))
  await run('tar', ['-xzf', `${made}.tar.gz`, '-C', join(folder, 'empty')])
  unpacked = join(folder, 'empty', basename(made))
  for (const name of ['.', ...readdirSync(unpacked, { recursive: true, encoding: 'utf8' })]) {
    const path = join(unpacked, name)
    const found = lstatSync(path)
    if (!found.isSymbolicLink()) chmodSync(path, found.mode & 0o555)
  }
})

afterAll(async () => {
  await run('chmod', ['-R', 'u+w', folder])
  await rm(folder, { recursive: true, force: true })
})

describe('a release', () => {
  it('has the sums that it says, in the archive as in the folder', async () => {
    const sums = (await readFile(join(unpacked, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n')
    const found = takeStock(unpacked).filter(
      (line) => !line.startsWith('link') && !line.endsWith('  SHA256SUMS'),
    )
    expect(sums.toSorted()).toEqual(found.toSorted())
    const [outer = ''] = (await readFile(join(folder, 'made/SHA256SUMS'), 'utf8')).split(' ')
    expect(sumOf(`${made}.tar.gz`)).toBe(outer)
  })

  it('is made of the same bytes again, whoever makes it', async () => {
    const again = join(folder, 'again')
    await run('sh', [
      '-c',
      'umask 077; exec "$@"',
      'sh',
      process.execPath,
      join(root, 'bin/release.js'),
      '--folder',
      again,
    ])
    expect(takeStock(again)).toEqual(takeStock(made))
    const modes = (from: string) =>
      listFiles(from).map((name) => [name, lstatSync(join(from, name)).mode & 0o777])
    expect(modes(again).filter(([, mode]) => mode === 0o755)).toEqual(
      modes(made).filter(([, mode]) => mode === 0o755),
    )
  })

  it('has an archive that no clock is in, and names of up to 255 bytes', async () => {
    const { writeArchive } = (await import(`${root}bin/release/write-archive.js`)) as {
      writeArchive: (from: string, to: string) => Promise<void>
    }
    const small = join(folder, 'small')
    const archive = join(folder, 'small.tar.gz')
    const name = `${'folder-of-files/'.repeat(8)}file`
    await mkdir(join(small, name, '..'), { recursive: true })
    await writeFile(join(small, name), 'text')
    const sums: string[] = []
    for (const seconds of [1_000_000_000, 1_700_000_000]) {
      await utimes(join(small, name), seconds, seconds)
      await writeArchive(small, archive)
      sums.push(sumOf(archive))
    }
    expect(sums[0]).toBe(sums[1])
    expect((await run('tar', ['-tzf', archive])).stdout).toBe(`small/${name}\n`)
  })

  it('names every package that is in it, with its licence', async () => {
    interface Component {
      name: string
      group?: string
      version: string
      type: string
      licenses: object[]
    }
    const sbom = JSON.parse(await readFile(join(unpacked, 'sbom.cdx.json'), 'utf8')) as {
      components: Component[]
    }
    const named = sbom.components
      .filter(({ type }) => type === 'library')
      .map(({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name} ${version}`)
    const notices = await readFile(join(unpacked, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const one of named) expect(notices).toContain(`\n${one}\nLicence: `)
    const beside = listFiles(join(unpacked, 'node_modules'))
      .filter((name) => /^(?:@[^/]+\/)?[^/]+\/package\.json$/.test(name))
      .map((name) => JSON.parse(readFileSync(join(unpacked, 'node_modules', name), 'utf8')) as Component)
    expect(beside.length).toBeGreaterThan(5)
    // Beside the code, within the server's bundle, within a page's.
    expect(named).toEqual(expect.arrayContaining(beside.map(({ name, version }) => `${name} ${version}`)))
    expect(named.join('\n')).toMatch(/^fastify \d/m)
    expect(named.join('\n')).toMatch(/^preact \d/m)
    // What npm knows as needed for production is all that may be in there.
    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean; version: string }>
    }
    const production = Object.entries(lock.packages)
      .filter(([, { dev }]) => dev !== true)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')} ${version}`)
    expect(production).toEqual(expect.arrayContaining(named))
  })

  it('has every guide and file of deploy/, and nothing that an operator put beside them', async () => {
    const { layOutGuides } = (await import(`${root}bin/release/lay-out.js`)) as {
      layOutGuides: (from: string, to: string) => void
    }
    // Without what whoever runs this keeps there, which .gitignore names.
    const ours = ['deploy', 'docs']
      .flatMap((from) => listFiles(join(root, from)).map((name) => `${from}/${name}`))
      .filter((name) => !/\/secrets(?:\/|\.yaml$)|\/\./.test(name))
    const own = join(folder, 'own')
    for (const path of ours) await cp(join(root, path), join(own, path))
    const secrets = [
      'deploy/container/secrets/master-key',
      'deploy/container/.env',
      'deploy/kubernetes/secrets.yaml',
      'deploy/systemd/own.env',
      'deploy/proxies/privkey.pem',
      'docs/secrets/key.md',
      'docs/.notes.md',
      'docs/master.key',
    ]
    for (const path of secrets) {
      await mkdir(join(own, path, '..'), { recursive: true })
      await writeFile(join(own, path), 'secret')
    }
    layOutGuides(own, join(folder, 'guides'))
    expect(listFiles(join(folder, 'guides'))).toEqual(ours.toSorted())
    const inRelease = listFiles(unpacked).filter((name) => /^(?:deploy|docs)\//.test(name))
    expect(inRelease).toEqual(ours.toSorted())
  })

  it('leaves an operator’s secrets out of what an image is built from', async () => {
    for (const file of ['.gitignore', 'deploy/container/Containerfile.dockerignore']) {
      const lines = (await readFile(join(root, file), 'utf8')).split('\n')
      const ignored = lines.map((line) => line.replaceAll(/^\/|\/$/g, ''))
      expect(ignored).toEqual(
        expect.arrayContaining(['deploy/container/secrets', 'deploy/kubernetes/secrets.yaml']),
      )
    }
  })

  it('holds nothing for other platforms, no sources and no tests', () => {
    const files = listFiles(unpacked)
    const other = process.platform === 'darwin' ? 'linux' : 'darwin'
    expect(files.filter((name) => name.startsWith('node_modules') && name.includes(`/${other}`))).toEqual([])
    expect(
      files.filter((name) => /\.(?:tsx?|tsbuildinfo|test\.js)$/.test(name) && !name.includes('/sdk/')),
    ).toEqual([])
  })
})

/** The first stage of the Containerfile, in an empty folder that holds nothing but what the image would. */
describe('the build of the image', () => {
  const noRegistry = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E50\d)\b/
  /** As a shell has them: not what `npm test` and its runner add, which would tell npm of another folder. */
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:npm_(?!config_)|npm_config_(?:local_)?prefix$|NODE_ENV$|VITEST)/i.test(name),
    ),
  )

  it('makes the same release of what is copied, with nothing that only tests and checks need', async ({
    skip,
  }) => {
    const [stage] = readContainerfile(
      await readFile(join(root, 'deploy/container/Containerfile'), 'utf8'),
    ).stages
    expect(stage?.copy).toEqual([['.', '.']])
    const isLeftOut = readDockerignore(
      await readFile(join(root, 'deploy/container/Containerfile.dockerignore'), 'utf8'),
    )
    const build = join(folder, 'build')
    await cp(root, build, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !isLeftOut(relative(root, path)),
    })
    expect(readdirSync(build)).not.toContain('node_modules')
    const result = join(folder, 'casenote')
    for (const words of stage?.run ?? []) {
      const placed = words.map((word) => (word === '/casenote' ? result : word))
      const ended = await run('sh', ['-c', 'umask 077; exec "$@"', 'sh', ...placed], {
        env,
        cwd: build,
      }).then(
        () => null,
        (error: Error & { stdout: string; stderr: string }) => `${error.stdout}${error.stderr}`,
      )
      skip(ended !== null && words[1] === 'ci' && noRegistry.test(ended), 'npm ci reaches no registry here')
      expect([words.join(' '), ended]).toEqual([words.join(' '), null])
    }
    expect(takeStock(result)).toEqual(takeStock(made))
    await rm(build, { recursive: true, force: true })
  }, 900_000)
})

/** The second stage of the Containerfile, in an empty folder instead of an image: its files, user, variables and words. */
describe('the image', () => {
  it('says what is wrong where its user has no name and the database is its own', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root can run something as another user')
    const data = join(folder, 'nameless')
    const nobody = { uid: 1_999_999_999, gid: 1_999_999_999 }
    await mkdir(data, { mode: 0o700 })
    await chown(data, nobody.uid, nobody.gid)
    const env = { PATH: '/nowhere', CASENOTE_DATA_DIR: data, PORT: String(await freePort()) }
    const start = run(process.execPath, [join(unpacked, 'bin/casenote.js'), 'start'], {
      env,
      cwd: data,
      ...nobody,
    })
    await expect(start).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('needs a user that this system knows by name') as string,
    })
  })

  it('starts, is healthy, serves, stops on SIGTERM, and writes nothing but data', async () => {
    const { stages } = readContainerfile(await readFile(join(root, 'deploy/container/Containerfile'), 'utf8'))
    const image = stages.at(-1)
    const data = join(folder, 'data')
    await mkdir(data, { mode: 0o700 })
    if (stranger.uid !== undefined) await chown(data, stranger.uid, stranger.gid ?? 0)
    const place = (word: string): string =>
      word
        .replace('/opt/casenote', unpacked)
        .replace('/var/lib/casenote', data)
        .replace(/^node$/, process.execPath)
    const env = {
      ...Object.fromEntries(Object.entries(image?.env ?? {}).map(([name, value]) => [name, place(value)])),
      PATH: '/nowhere',
      PORT: String(await freePort()),
      HOST: '127.0.0.1',
      CASENOTE_ADMIN_PORT: String(await freePort()),
    }
    const before = takeStock(unpacked)
    const [program = '', ...args] = [...(image?.entrypoint ?? []), ...(image?.command ?? [])].map(place)
    const { service, said, url } = await startService(program, args, env, data)
    try {
      const [checker = '', ...words] = (image?.healthcheck ?? []).map(place)
      await run(checker, words, { env, cwd: data, ...stranger })
      await expect(
        run(checker, words, { env: { ...env, CASENOTE_ADMIN_PORT: '1' }, cwd: data, ...stranger }),
      ).rejects.toMatchObject({ code: 1 })
      expect(await callApi(url, data)).toEqual([200, 200, 200])
    } finally {
      service.kill('SIGTERM')
    }
    const asked = performance.now()
    const [code] = (await once(service, 'exit')) as [number | null]
    expect([code, said()]).toEqual([0, expect.not.stringContaining('compiling')])
    expect(performance.now() - asked).toBeLessThan(20_000)
    expect(takeStock(unpacked)).toEqual(before)
    expect(readdirSync(join(folder, 'empty'))).toEqual([basename(unpacked)])
  })
})

/** What compose and the units of systemd start, in an empty folder instead of an image or /opt: their words, variables and secrets. */
describe('the roles of a release, with a PostgreSQL elsewhere', () => {
  interface Place {
    data: string
    keys: string
    secrets: string
  }

  let database: TestDatabase
  let receiver: Receiver
  let place: Place

  beforeAll(async () => {
    database = await makeTestDatabase('template0')
    receiver = await makeReceiver()
    const at = (name: string): string => join(folder, `roles-${name}`)
    place = { data: at('data'), keys: at('keys'), secrets: at('secrets') }
    for (const path of Object.values(place)) await mkdir(path, { mode: 0o700 })
    const secrets = {
      'migrate-url': database.migrateUrl,
      'database-url': database.databaseUrl,
      'dispatcher-url': database.dispatcherUrl,
      'master-key': randomBytes(32).toString('base64'),
    }
    for (const [name, secret] of Object.entries(secrets))
      await writeFile(join(place.secrets, name), `${secret}\n`)
    for (const path of Object.values(place))
      for (const one of [path, ...readdirSync(path).map((name) => join(path, name))])
        if (stranger.uid !== undefined) await chown(one, stranger.uid, stranger.gid ?? 0)
  })
  afterAll(async () => {
    await receiver.close()
    await database.drop()
  })

  interface Placed {
    program: string
    args: string[]
    env: Record<string, string>
  }

  /** On ports of its own and loopback, where the one that takes the webhook is: that is a sandbox's to call, and nobody else's. */
  async function put(release: string, { words, env }: Deployed): Promise<Placed> {
    const inPlace = (word: string): string =>
      word
        .replace('/opt/casenote', release)
        .replace('/var/lib/casenote-keys', place.keys)
        .replace('/var/lib/casenote', place.data)
        .replace(/^(?:\/run\/secrets\/casenote(?:-owner)?|%d)\//, `${place.secrets}/`)
        .replace(/^\$\{CASENOTE_PUBLIC_URL:\?.*\}$/, 'https://notes.example.org')
        .replace(/^(?:\/usr\/bin\/)?node$/, process.execPath)
    const [program = '', ...args] = words.map(inPlace)
    const [port, adminPort] = [String(await freePort()), String(await freePort())]
    const own = {
      PATH: '/nowhere',
      HOST: '127.0.0.1',
      CASENOTE_SANDBOX: 'on',
      CASENOTE_ADMIN_PORT: adminPort,
    }
    return {
      program,
      args,
      env: {
        ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, inPlace(value)])),
        ...own,
        // Those that serve nobody have no other port than that.
        PORT: args.at(-1) === 'api' ? port : adminPort,
      },
    }
  }

  async function runToEnd(release: string, deployed: Deployed): Promise<string> {
    const { program, args, env } = await put(release, deployed)
    return (await run(program, args, { env, cwd: place.data, ...stranger })).stdout
  }

  const roles = ['api', 'worker', 'dispatcher'] as const

  /** Its API, and the stop of all three as whoever runs them stops them. */
  async function startRoles(
    release: string,
    readRole: (command: Command) => Deployed,
  ): Promise<{ url: string; stop(): Promise<void> }> {
    const services: ChildProcess[] = []
    const stop = async (): Promise<void> => {
      const asked = performance.now()
      const ended = services.map(async (service) => {
        if (service.exitCode !== null) return service.exitCode
        service.kill('SIGTERM')
        return ((await once(service, 'exit')) as [number | null])[0]
      })
      expect(await Promise.all(ended)).toEqual(services.map(() => 0))
      expect(performance.now() - asked).toBeLessThan(20_000)
    }
    const started = await Promise.allSettled(
      roles.map(async (role) => {
        const { program, args, env } = await put(release, readRole(role))
        const { service, url } = await startService(program, args, env, place.data)
        services.push(service)
        return url
      }),
    )
    const failed = started.find(({ status }) => status === 'rejected')
    if (failed !== undefined) {
      await stop()
      throw (failed as PromiseRejectedResult).reason
    }
    return { url: (started[0] as PromiseFulfilledResult<string>).value, stop }
  }

  /** A session of text becomes a note, and its partner is told of it. */
  async function serveOne(url: string, credentials: SandboxCredentials): Promise<string> {
    const call = await openApi(url, credentials)
    const sessionId = await writeSession(call, credentials.clinicianId)
    await waitUntil(
      async () => receiver.received.some(({ body }) => body.includes(sessionId)),
      'a webhook of the note',
    )
    await requireNote(call, sessionId)
    return sessionId
  }

  async function requireNote(call: Call, sessionId: string): Promise<void> {
    const note = await call(`/sessions/${sessionId}/progress-note`)
    expect(JSON.stringify(note)).toContain('four hours')
  }

  it('start by the words of compose and of the units, serve, stop, and are upgraded and taken back', async () => {
    const before = takeStock(unpacked)
    expect(await runToEnd(unpacked, readComposed('migrate'))).toContain('up to date')
    const composed = await startRoles(unpacked, readComposed)
    const later = await makeLater('later-roles', [() => '-- One more: the release of before runs with it.'])
    let credentials: SandboxCredentials
    try {
      // As docs/deploy.md has the owner's commands: compose's migration with other words.
      const { words, env } = readComposed('migrate')
      const create = [...words.slice(0, -1), 'sandbox', 'create', '--name', 'Roles', '--json']
      credentials = JSON.parse(await runToEnd(unpacked, { words: create, env })) as SandboxCredentials
      const call = await openApi(composed.url, credentials)
      await call('/webhook-endpoints', { url: receiver.url, eventTypes: ['progress_note_generated'] })
      await serveOne(composed.url, credentials)
      expect(await runToEnd(later, readComposed('migrate'))).toContain('_later.sql')
      await serveOne(composed.url, credentials)
    } finally {
      await composed.stop()
    }
    await expect(fetch(`${composed.url}/health/live`)).rejects.toThrow()
    const upgraded = await startRoles(later, readComposed)
    let sessionId: string
    try {
      sessionId = await serveOne(upgraded.url, credentials)
    } finally {
      await upgraded.stop()
    }
    expect(await runToEnd(unpacked, readUnit('migrate'))).toContain('up to date')
    const units = await startRoles(unpacked, readUnit)
    try {
      await requireNote(await openApi(units.url, credentials), sessionId)
      await serveOne(units.url, credentials)
    } finally {
      await units.stop()
    }
    expect(takeStock(unpacked)).toEqual(before)
  })
})

/** What is newer says who may still run on it (`kernel/db/migrate.ts`). */
describe('an upgrade', () => {
  async function runRelease(
    release: string,
    data: string,
    work: (call: Call) => Promise<void>,
  ): Promise<string> {
    const env = {
      PATH: '/nowhere',
      CASENOTE_DATA_DIR: data,
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      CASENOTE_ADMIN_PORT: String(await freePort()),
    }
    const started = await startService(
      process.execPath,
      [join(release, 'bin/casenote.js'), 'start'],
      env,
      data,
    )
    try {
      await work(await openApi(started.url, await readCredentials(data)))
    } finally {
      started.service.kill('SIGTERM')
      await once(started.service, 'exit')
    }
    return started.said()
  }

  it('is taken back by starting the package of before, with all that was written since', async () => {
    const data = join(folder, 'upgraded')
    await mkdir(data, { mode: 0o700 })
    if (stranger.uid !== undefined) await chown(data, stranger.uid, stranger.gid ?? 0)
    const later = await makeLater('later', [
      () => '-- One more: the release of before runs with it.',
      (known) => `-- Programs from schema ${known} on run with it.`,
    ])
    const sessionIds: string[] = []
    const path = (id: string): string => `/sessions/${id}/transcript`
    for (const release of [unpacked, later, unpacked]) {
      const said = await runRelease(release, data, async (call) => {
        const { clinicianId } = await readCredentials(data)
        sessionIds.push(await writeSession(call, clinicianId))
        for (const id of sessionIds) {
          await waitUntil(
            async () => JSON.stringify(await call(path(id))).includes('four hours'),
            'its words',
          )
        }
      })
      expect(said.includes('_later.sql')).toBe(release === later)
    }
    expect(sessionIds).toHaveLength(3)
  })

  it('of which a migration says that older programs cannot run with it leaves them no way back but a backup', async () => {
    const data = join(folder, 'parted')
    await mkdir(data, { mode: 0o700 })
    if (stranger.uid !== undefined) await chown(data, stranger.uid, stranger.gid ?? 0)
    const parted = await makeLater('parted-release', [() => '-- Programs from schema 9999 on run with it.'])
    await runRelease(parted, data, async () => {})
    await expect(runRelease(unpacked, data, async () => {})).rejects.toThrow('too new for this program')
  })
})

/** The release with a migration more for each head, which says of programs of before whether they run with it. */
async function makeLater(name: string, heads: readonly ((known: number) => string)[]): Promise<string> {
  const later = join(folder, name)
  await cp(unpacked, later, { recursive: true, verbatimSymlinks: true })
  await run('chmod', ['-R', 'u+w', later])
  const migrations = join(later, 'packages/server/migrations')
  const known = readdirSync(migrations).filter((file) => file.endsWith('.sql')).length
  for (const [at, head] of heads.entries())
    await writeFile(
      join(migrations, `${String(known + 1 + at).padStart(4, '0')}_later.sql`),
      `${head(known)}\nalter table casenote.clients add column of_later_${at} text;\n`,
    )
  return later
}

function listenTo(child: ChildProcess): () => string {
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return () => said
}

async function startService(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
  data: string,
): Promise<{ service: ChildProcess; said: () => string; url: string }> {
  const service = spawn(program, args, { env, cwd: data, stdio: ['ignore', 'pipe', 'pipe'], ...stranger })
  const said = listenTo(service)
  const url = `http://127.0.0.1:${env['PORT']}`
  const ended = once(service, 'exit').then(() => {
    throw new Error('it ended')
  })
  const isReady = async (): Promise<boolean> => (await fetch(`${url}/health/ready`)).status === 200
  await Promise.race([waitUntil(isReady, 'the release is ready'), ended]).catch((error: Error) => {
    service.kill('SIGKILL')
    throw new Error(`${error.message}\n${said()}`)
  })
  ended.catch(() => {}) // It is asked to, later.
  return { service, said, url }
}

interface SandboxCredentials {
  apiKey: string
  clientId: string
  clientSecret: string
  clinicianId: string
}

const readCredentials = async (data: string): Promise<SandboxCredentials> =>
  JSON.parse(await readFile(join(data, 'sandbox-credentials.json'), 'utf8')) as SandboxCredentials

const authenticate = (
  { apiKey, clientId, clientSecret }: SandboxCredentials,
  url: string,
): Promise<Response> =>
  fetch(`${url}/v2/partners/authenticate`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  })

type Call = (path: string, body?: object) => Promise<Record<string, unknown>>

/** Calls of the Partner API that go well. */
async function openApi(url: string, credentials: SandboxCredentials): Promise<Call> {
  const { accessToken } = (await (await authenticate(credentials, url)).json()) as { accessToken: string }
  return async (path, body) => {
    const response = await fetch(`${url}/v2${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-api-key': credentials.apiKey,
        'access-token': accessToken,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect([path, response.status]).toEqual([path, expect.toSatisfy((status: number) => status < 300)])
    return (await response.json()) as Record<string, unknown>
  }
}

/** A new client's session, made of text: its id. */
async function writeSession(call: Call, clinicianId: string): Promise<string> {
  const named = { firstName: 'Ada', lastName: 'Vane', dateOfBirth: '1990-05-02' }
  const client = await call(`/clinicians/${clinicianId}/clients`, named)
  const written = { text: 'She sleeps four hours. She takes sertraline 50 mg.', noteType: 'soap' }
  return String((await call(`/clients/${String(client['id'])}/sessions`, written))['sessionId'])
}

/** A call of the Partner API, a page of the documentation, what the widget loads. */
async function callApi(url: string, data: string): Promise<number[]> {
  const token = await authenticate(await readCredentials(data), url)
  const docs = await fetch(`${url}/docs`)
  const widget = await fetch(`${url}/widget/v1/widget.js`)
  return [token.status, docs.status, widget.status]
}
