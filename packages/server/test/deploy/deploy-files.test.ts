import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig, type ConfigError } from '../../src/kernel/config.js'
import { VARIABLES } from '../../src/kernel/variables.js'
import { findProgram } from '../../src/engines/speech/audio/decoder/find-native.js'
import { makeAuthority, makeCertificate } from '../support/certificates.js'
import { readContainerfile } from './containerfile.js'
import { findManifestProblems, type Manifest } from './kubernetes-schemas.js'

const deploy = fileURLToPath(new URL('../../../../deploy/', import.meta.url))
const read = (path: string): string => readFileSync(join(deploy, path), 'utf8')
const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'casenote-test-'))
  const signer = await makeAuthority('Signer')
  const { certificate, key } = await makeCertificate(signer, 'notes.example.org')
  const secrets = {
    'database-url': 'postgres://casenote_api:x@db.example.org/casenote?sslmode=disable\n',
    'dispatcher-url': 'postgres://casenote_dispatch:x@db.example.org/casenote\n',
    'migrate-url': 'postgres://casenote_owner:x@db.example.org/casenote\n',
    'master-key': `${Buffer.alloc(32, 7).toString('base64')}\n`,
    'database-ca.pem': signer.pem,
    's3-access-key-id': 'AKIA1',
    's3-secret-access-key': 'secret',
    'fullchain.pem': certificate,
    'privkey.pem': key,
    'notes.pem': certificate + key,
  }
  for (const [name, text] of Object.entries(secrets)) writeFileSync(join(folder, name), text)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** With files of ours where the deployment has its own. */
const inFolder = (value: string): string =>
  value.replaceAll(
    /(?:\/run\/secrets(?:\/casenote(?:-owner)?)?|%d|\/etc\/ssl\/casenote)\/([\w.-]+)/g,
    (_, name: string) => join(folder, name),
  )

function problemsOf(env: Record<string, unknown>): readonly string[] {
  const settings = Object.entries(env).map(([name, value]) => [name, inFolder(String(value))])
  try {
    return readConfig(Object.fromEntries(settings) as Record<string, string>).unknownVariables
  } catch (error) {
    return (error as ConfigError).problems
  }
}

it('every setting that a file of deploy/ names is one', () => {
  const known = new Set<string>(
    VARIABLES.flatMap((variable) =>
      'isSecret' in variable ? [variable.name, `${variable.name}_FILE`] : [variable.name],
    ),
  )
  const files = readdirSync(deploy, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  expect(files.length).toBeGreaterThan(12)
  for (const { parentPath, name } of files) {
    const text = readFileSync(join(parentPath, name), 'utf8')
    const named = [...text.matchAll(/\b(?:CASENOTE_[A-Z0-9_]+|DATABASE_URL(?:_FILE)?)\b/g)].map(
      ([setting]) => setting,
    )
    const unknown = named.filter((setting) => !known.has(setting))
    expect([name, unknown]).toEqual([name, []])
  }
})

describe('the image', () => {
  const { stages } = readContainerfile(read('container/Containerfile'))

  it('is built by npm ci and npm run release, and holds a release and nothing else', () => {
    expect(stages.map((stage) => stage.run.map((words) => words.slice(0, 3).join(' ')))).toEqual([
      ['npm ci --omit=dev', 'npm run release'],
      ['useradd --system --uid', 'install -d -o'],
      ['useradd --system --uid', 'install -d -o'],
    ])
    // What is built where no target is named.
    expect(stages.at(-1)?.from).toBe('${NODE_IMAGE}')
    expect(stages.at(-1)?.copy).toEqual([['--from=build', '/casenote', '/opt/casenote']])
  })

  it('runs as a user by number, with settings that fit', () => {
    for (const stage of stages.slice(1)) {
      expect(stage.user).toMatch(/^[1-9]\d+:[1-9]\d+$/)
      const { NODE_ENV: _, ...env } = stage.env
      expect(problemsOf(env)).toEqual([])
    }
  })

  it('for the owner has the programs of the server that compose runs, and Node of the same system', () => {
    const [build, owner, image] = stages
    expect(owner?.from).toBe('${POSTGRES_IMAGE} AS operator')
    const [, node = '', postgres = ''] =
      /^ARG NODE_IMAGE=\S+\/node:(\S+)\n(?:#.*\n)*ARG POSTGRES_IMAGE=\S+\/postgres:(\S+)$/m.exec(
        read('container/Containerfile'),
      ) ?? []
    const [, system] = /^\d+-(\w+)-slim$/.exec(node) ?? []
    const [, server] = /image: \S+\/postgres:(\d+)$/m.exec(read('container/compose.yaml')) ?? []
    expect(postgres).toBe(`${server}-${system}`)
    expect(build?.from).toBe('${NODE_IMAGE} AS build')
    expect(owner?.copy).toEqual([
      ['--from=build', '/usr/local/bin/node', '/usr/local/bin/node'],
      ['--from=build', '/casenote', '/opt/casenote'],
    ])
    // The same user, so that both write what the other reads; the same words.
    expect([owner?.user, owner?.entrypoint, owner?.run[0]]).toEqual([
      image?.user,
      image?.entrypoint,
      image?.run[0],
    ])
  })
})

describe('compose.yaml', () => {
  interface Service {
    image: string
    build?: { target?: string }
    profiles?: string[]
    command?: string[]
    environment?: Record<string, string>
    volumes?: string[]
    read_only?: boolean
    depends_on?: Record<string, unknown>
  }
  const compose = parse(read('container/compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    secrets: Record<string, { file: string }>
    volumes: Record<string, unknown>
  }
  const own = Object.entries(compose.services).filter(([, { image }]) => image.startsWith('casenote'))

  /** With the owner's URL, and nothing else that the services have not. */
  const owners = new Set(['migrate', 'operator'])

  it('runs every role once, after the migration', () => {
    expect(own.map(([, { command }]) => String(command?.[0])).toSorted()).toEqual([
      '--help',
      'api',
      'dispatcher',
      'migrate',
      'worker',
    ])
    for (const [name, { depends_on: after }] of own)
      expect(Object.keys(after ?? {})).toEqual([owners.has(name) ? 'postgres' : 'migrate'])
  })

  it('has an operator with the programs of PostgreSQL, which `up` leaves alone, beside a folder for backups', () => {
    expect(own.filter(([, { profiles }]) => profiles !== undefined).map(([name]) => name)).toEqual([
      'operator',
    ])
    const { operator, migrate } = compose.services
    expect([operator?.build?.target, operator?.image]).toEqual([
      'operator',
      migrate?.image.replace('casenote:', 'casenote-operator:'),
    ])
    expect(operator?.environment).toEqual(migrate?.environment)
    expect(operator?.volumes).toEqual([...(migrate?.volumes ?? []), '/var/backups/casenote:/backups'])
  })

  it('has settings that fit, and mounts the folder of the secrets that they name and no other', () => {
    const folders = { casenote: './secrets/service', 'casenote-owner': './secrets/owner' }
    for (const [name, { environment = {}, volumes = [], read_only: isReadOnly }] of own) {
      const env = { ...environment, CASENOTE_PUBLIC_URL: 'https://notes.example.org' }
      expect([name, problemsOf(env), isReadOnly]).toEqual([name, [], true])
      const named = Object.values(environment).flatMap(
        (value) => /^\/run\/secrets\/(casenote(?:-owner)?)\/[\w-]+$/.exec(value)?.[1] ?? [],
      ) as (keyof typeof folders)[]
      const mounted = volumes.filter((volume) => volume.includes('secrets'))
      // A folder, so that a new file in it is seen; the owner's only where the owner is.
      expect(mounted.toSorted()).toEqual(
        [...new Set(named)].map((one) => `${folders[one]}:/run/secrets/${one}:ro`).toSorted(),
      )
      expect(named.includes('casenote-owner')).toBe(owners.has(name))
    }
  })

  it('keeps the key store of all roles in a volume of its own, which the image gives its user', () => {
    const image = readContainerfile(read('container/Containerfile')).stages.at(-1)
    const [owned = []] = image?.run.filter(([program]) => program === 'install') ?? []
    for (const [name, { environment = {}, volumes = [] }] of own) {
      const place = String(environment['CASENOTE_KEY_STORE'])
      const holder = volumes.find((volume) => volume.split(':')[1] === place)?.split(':')[0] ?? ''
      expect([name, holder, Object.keys(compose.volumes)]).toEqual([
        name,
        'keys',
        expect.arrayContaining([holder]),
      ])
      expect(volumes.filter((volume) => volume.startsWith(`${holder}:`))).toHaveLength(1)
      expect(owned).toContain(place)
    }
  })

  it('makes in its first lines every secret that is looked for', () => {
    const text = read('container/compose.yaml')
    const made = [...text.matchAll(/^#.*> secrets\/(\S+)/gm)].map(([, path]) => String(path))
    expect(made.toSorted()).toEqual([
      'owner/migrate-url',
      'owner/password',
      'service/database-url',
      'service/dispatcher-url',
      'service/master-key',
    ])
    expect(Object.values(compose.secrets)).toEqual([{ file: './secrets/owner/password' }])
  })
})

describe('the manifests', () => {
  const files = readdirSync(join(deploy, 'kubernetes'))
  const manifests = files.flatMap((file) =>
    parseAllDocuments(read(`kubernetes/${file}`)).map((document) => document.toJS() as Manifest),
  )

  it('fit the schemas of Kubernetes, and have no field that those do not know', () => {
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual([
      'ConfigMap',
      'Deployment',
      'Deployment',
      'Ingress',
      'Job',
      'Job',
      'Namespace',
      'NetworkPolicy',
      'PersistentVolumeClaim',
      'PodDisruptionBudget',
      'Secret',
      'Secret',
      'Service',
      'Service',
      'StatefulSet',
    ])
    for (const manifest of manifests)
      expect([manifest.metadata.name, findManifestProblems(manifest)]).toEqual([manifest.metadata.name, []])
  })

  it('would be refused with a field misspelt or of another type', () => {
    const deployment = manifests.find(({ kind }) => kind === 'Deployment') as Manifest & { spec: object }
    const misspelt = { ...deployment, spec: { ...deployment.spec, replica: 2 } }
    expect(findManifestProblems(misspelt)).toEqual(['/spec/replica'])
    const mistyped = { ...deployment, spec: { ...deployment.spec, replicas: 'two' } }
    expect(findManifestProblems(mistyped)).toEqual([expect.stringContaining('replicas must be integer')])
  })

  interface Pod {
    securityContext: { runAsNonRoot: boolean; runAsUser: number; seccompProfile: { type: string } }
    containers: {
      args: string[]
      env?: { name: string; value: string }[]
      securityContext: object
      ports?: { name: string }[]
      livenessProbe?: { httpGet: { port: string } }
      volumeMounts: { name: string; mountPath: string }[]
    }[]
    volumes: ({ name: string; secret?: { secretName: string } } & Record<string, unknown>)[]
  }
  const pods = manifests.flatMap(({ spec }) => {
    const { template } = (spec ?? {}) as { template?: { spec: Pod } }
    return template === undefined ? [] : [template.spec]
  })

  it('ask for pods that the restricted Pod Security Standard lets in', () => {
    expect(pods).toHaveLength(5)
    for (const { securityContext, containers, volumes } of pods) {
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
      }
      const allowed = ['emptyDir', 'secret', 'persistentVolumeClaim']
      expect(volumes.every((volume) => allowed.some((kind) => kind in volume))).toBe(true)
    }
  })

  it('run the user of the image, each role, and probe the admin port that there is', () => {
    const image = readContainerfile(read('container/Containerfile')).stages.at(-1)
    expect(pods.map(({ securityContext: { runAsUser } }) => `${runAsUser}:${runAsUser}`)).toEqual(
      pods.map(() => image?.user),
    )
    const containers = pods.flatMap((pod) => pod.containers)
    expect(containers.map(({ args }) => String(args[0])).toSorted()).toEqual([
      'api',
      'backup',
      'dispatcher',
      'migrate',
      'worker',
    ])
    const served = containers.filter(({ args }) => !['backup', 'migrate'].includes(args[0] ?? ''))
    for (const { ports, livenessProbe } of served)
      expect(ports?.map(({ name }) => name)).toContain(livenessProbe?.httpGet.port)
  })

  it('have settings that fit, and secrets that are mounted where they are looked for', () => {
    const { data } = manifests.find(({ kind }) => kind === 'ConfigMap') as unknown as {
      data: Record<string, string>
    }
    const secretKeys = new Map(
      manifests
        .filter(({ kind }) => kind === 'Secret')
        .map(({ metadata, stringData }) => [metadata.name, Object.keys(stringData as object)]),
    )
    for (const { containers, volumes } of pods) {
      for (const { env = [], volumeMounts } of containers) {
        const settings = { ...data, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) }
        expect(problemsOf(settings)).toEqual([])
        for (const path of Object.values(settings).filter((value) => value.startsWith('/run/secrets/'))) {
          const mount = volumeMounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`))
          const secret = volumes.find(({ name }) => name === mount?.name)?.secret?.secretName ?? ''
          expect(secretKeys.get(secret)).toContain(basename(path))
        }
      }
    }
  })

  it('keep the key store in a bucket that is not the recordings’', () => {
    const { data } = manifests.find(({ kind }) => kind === 'ConfigMap') as unknown as {
      data: Record<string, string>
    }
    const bucket = /^s3:(.+)$/.exec(data['CASENOTE_KEY_STORE'] ?? '')?.[1]
    expect([bucket === undefined, bucket === data['CASENOTE_S3_BUCKET']]).toEqual([false, false])
  })

  it('name the version of the image in the Job that migrates', () => {
    const job = manifests.find(({ kind, metadata }) => kind === 'Job' && metadata.name.includes('migrate'))
    const versions = [...read('kubernetes/roles.yaml').matchAll(/image: \S+:(\S+)/g)].map(
      ([, version]) => version,
    )
    const { version } = JSON.parse(readFileSync(join(deploy, '../package.json'), 'utf8')) as {
      version: string
    }
    expect(versions).toEqual([version, version, version])
    const named = `casenote-migrate-${version.replaceAll('.', '-')}`
    expect(job?.metadata.name).toBe(named)
    for (const text of [
      read('kubernetes/config.yaml'),
      readFileSync(join(deploy, '../docs/deploy.md'), 'utf8'),
    ])
      expect([...text.matchAll(/job\/(casenote-migrate\S+)/g)].map(([, name]) => name)).toEqual([named])
    const operator = read('kubernetes/backup.yaml')
    expect(operator).toContain(`/casenote-operator:${version}\n`)
    // What waits for it, the Job and its folder are of one day.
    expect(new Set(operator.match(/\d{4}-\d\d-\d\d/g)).size).toBe(1)
  })

  it('are named in the guide as they are, where it stops the roles for a restore and copies the anchors', () => {
    const guide = readFileSync(join(deploy, '../docs/deploy.md'), 'utf8')
    const stopped = /scale --replicas=0 ((?:[a-z]+\/\S+ ?)+)/.exec(guide)?.[1]?.trim().split(/ +/) ?? []
    const roles = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
    expect(stopped.toSorted()).toEqual(
      roles.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`).toSorted(),
    )
    const [, pod, file] = /exec (\S+) -- cat (\S+)/.exec(guide) ?? []
    expect(stopped).toContain(`statefulset/${pod?.replace(/-0$/, '')}`)
    expect(file).toBe('/var/lib/casenote/audit-anchors.json')
    // Started again by what waited for the Job, and by nothing else.
    expect(guide).toMatch(
      /wait --for=condition=complete [^\n]*job\/casenote-restore-\S+ &&\n\s+kubectl apply -f roles\.yaml/,
    )
  })
})

describe('the systemd units', () => {
  const units = readdirSync(join(deploy, 'systemd')).filter((name) => name.endsWith('.service'))
  const linesOf = (unit: string, name: string): string[] =>
    read(`systemd/${unit}`)
      .split('\n')
      .flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []))

  it('have settings that fit, and name files of credentials that they load', () => {
    expect(units).toHaveLength(3)
    const common = read('systemd/casenote.env')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
    for (const unit of units) {
      const pairs = [...linesOf(unit, 'Environment').flatMap((line) => line.split(' ')), ...common]
      const env = Object.fromEntries(pairs.map((pair) => [pair.split('=')[0], pair.split('=')[1]]))
      expect([unit, problemsOf(env)]).toEqual([unit, []])
      const loaded = linesOf(unit, 'LoadCredential').map((line) => line.split(':')[0] ?? '')
      const named = Object.values(env).flatMap((value) => /^%d\/(.+)$/.exec(String(value))?.[1] ?? [])
      expect(named.toSorted()).toEqual(loaded.toSorted())
    }
  })

  it('keep the key store of the roles in a folder that they may write and that is not the data folder', () => {
    const ofRoles = units.filter((unit) => unit !== 'casenote.service')
    expect(ofRoles).toHaveLength(2)
    for (const unit of ofRoles) {
      expect(linesOf(unit, 'Environment')).toContain('CASENOTE_KEY_STORE=/var/lib/casenote-keys')
      expect([linesOf(unit, 'StateDirectory'), linesOf(unit, 'StateDirectoryMode')]).toEqual([
        ['casenote casenote-keys'],
        ['0700'],
      ])
    }
  })

  it('give each role on one machine an admin port of its own', () => {
    const role = units.find((unit) => unit.includes('@'))
    // A later file wins.
    expect(linesOf(role ?? '', 'EnvironmentFile')).toEqual([
      '-/etc/casenote/casenote.env',
      '-/etc/casenote/%i.env',
    ])
    const portIn = (file: string): string | undefined =>
      /^CASENOTE_ADMIN_PORT=(\d+)$/m.exec(read(`systemd/${file}`))?.[1]
    const ports = ['casenote.env', 'worker.env', 'dispatcher.env'].map(portIn)
    expect([new Set(ports).size, ports.includes(undefined)]).toEqual([3, false])
  })

  it('leave the decoder its cage, and Node its compiler', () => {
    for (const unit of units) {
      expect(linesOf(unit, 'RestrictNamespaces')).toEqual(['user net ipc'])
      expect(linesOf(unit, 'MemoryDenyWriteExecute')).toEqual([])
    }
  })

  it('are what systemd-analyze takes for units', async ({ skip }) => {
    const program = await findProgram('systemd-analyze', '/usr/bin:/bin')
    skip(program === null, 'systemd-analyze is not installed')
    for (const unit of units) {
      // As an instance, and with a Node that is where it looks: it says what it does not find.
      const copy = join(folder, unit.replace('@', '@api'))
      writeFileSync(copy, read(`systemd/${unit}`).replace('/usr/bin/node', process.execPath))
      const { stdout, stderr } = await run(program ?? '', ['verify', '--man=no', copy])
      expect([unit, stdout + stderr]).toEqual([unit, ''])
    }
  })
})

describe('the reverse proxies', () => {
  const path = '/usr/sbin:/usr/bin:/usr/local/bin:/usr/local/sbin'
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  it('hand on the address that they see, and nothing that a visitor sent of it', () => {
    const linesWith = (file: string, word: string): string[] =>
      read(`proxies/${file}`)
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line.includes(word) && !line.startsWith('#'))
    expect(linesWith('nginx.conf', 'X-Forwarded')).toEqual([
      'proxy_set_header X-Forwarded-For $remote_addr;',
      'proxy_set_header X-Forwarded-Proto $scheme;',
    ])
    expect(linesWith('Caddyfile', 'X-Forwarded')).toEqual(['header_up X-Forwarded-For {remote_host}'])
    expect(linesWith('haproxy.cfg', 'X-Forwarded')).toEqual([
      'http-request del-header X-Forwarded-For',
      'http-request set-header X-Forwarded-For %[src]',
      'http-request set-header X-Forwarded-Proto https',
    ])
    expect(linesWith('nginx.conf', 'Strict')).toEqual([
      'add_header Strict-Transport-Security "max-age=31536000" always;',
    ])
    expect(linesWith('Caddyfile', 'Strict')).toEqual(['header Strict-Transport-Security "max-age=31536000"'])
    expect(linesWith('haproxy.cfg', 'Strict')).toEqual([
      'http-response set-header Strict-Transport-Security "max-age=31536000"',
    ])
  })

  it('write no line that has a path in it', () => {
    const servers = read('proxies/nginx.conf')
      .split(/^server \{$/m)
      .slice(1)
    expect(servers).toHaveLength(2)
    for (const server of servers) {
      expect(server).toMatch(/^ {4}access_log off;$/m)
      // What it says of a request that failed names the request.
      expect(server).toMatch(/^ {4}error_log \S+ crit;$/m)
    }
    expect(read('proxies/haproxy.cfg')).toMatch(/^ {4}no log$/m)
    // Caddy writes such lines where it is told to.
    expect(read('proxies/Caddyfile')).not.toMatch(/^\s*log\b/m)
    expect(read('kubernetes/network.yaml')).toContain(
      "nginx.ingress.kubernetes.io/enable-access-log: 'false'",
    )
  })

  it('let pass what the widget sends: the sizes, the times, no buffers', () => {
    expect(read('proxies/nginx.conf')).toMatch(
      /client_max_body_size 8m;[^]*proxy_request_buffering off;\n\s+proxy_buffering off;/,
    )
    for (const file of ['nginx.conf', 'Caddyfile', 'haproxy.cfg']) {
      // Longer than the 60 s that a request may take, and than the 15 s between words of a stream.
      expect(read(`proxies/${file}`)).toMatch(/75s/)
      expect(read(`proxies/${file}`)).toContain('X-Forwarded-For')
    }
  })

  it('nginx takes its file', async ({ skip }) => {
    const program = await findProgram('nginx', path)
    skip(program === null, 'nginx is not installed')
    const included = write(
      'included.conf',
      inFolder(read('proxies/nginx.conf')).replaceAll('/var/log/nginx', folder),
    )
    const whole = `pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; include ${included}; }`
    const { stderr } = await run(program ?? '', ['-t', '-c', write('nginx.conf', whole)])
    expect(stderr).toContain('test is successful')
    expect(stderr).not.toContain('[emerg]')
  })

  it('haproxy takes its file', async ({ skip }) => {
    const program = await findProgram('haproxy', path)
    skip(program === null, 'haproxy is not installed')
    const { stdout, stderr } = await run(program ?? '', [
      '-c',
      '-f',
      write('haproxy.cfg', inFolder(read('proxies/haproxy.cfg'))),
    ])
    expect(stdout + stderr).not.toMatch(/ALERT|WARNING/)
  })

  it('caddy takes its file', async ({ skip }) => {
    const program = await findProgram('caddy', path)
    skip(program === null, 'caddy is not installed')
    const config = write('Caddyfile', read('proxies/Caddyfile'))
    const { stdout, stderr } = await run(
      program ?? '',
      ['validate', '--adapter', 'caddyfile', '--config', config],
      {
        env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder },
      },
    )
    expect(stdout + stderr).toContain('Valid configuration')
  })
})
