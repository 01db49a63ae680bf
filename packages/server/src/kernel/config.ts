import { resolve } from 'node:path'
import { LOG_LEVELS, type LogLevel } from './log.js'
import { parseMasterKey } from './secrets/master-keys.js'

export interface Config {
  port: number
  /** `localhost` stands for both loopback addresses, IPv4 and IPv6. */
  host: string
  dataDir: string
  /** Null: the embedded PostgreSQL. */
  databaseUrl: string | null
  migrateUrl: string | null
  dispatcherUrl: string | null
  publicUrl: string
  /** Null: neither metrics nor health are served beside the API. */
  adminPort: number | null
  masterKey: Buffer | null
  previousMasterKey: Buffer | null
  logLevel: LogLevel
  databasePoolSize: number
  isSandboxProvisioned: boolean
  /** How long finished webhook deliveries are kept; what is older can no longer be recovered. */
  deliveryRetentionDays: number
  /** Null: a folder below the data folder. */
  s3: S3Config | null
  audioRetentionDays: number
}

interface S3Config {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  isPathStyle: boolean
}

interface Variable {
  name: string
  /** What it may be, in words: the second half of the error that names it. */
  accepts: string
  /** As the table in docs/configuration.md shows it; null where there is none. */
  default: string | null
  meaning: string
}

/** Every variable that the program reads. docs/configuration.md is compared with this list by a test. */
export const VARIABLES = [
  {
    name: 'PORT',
    accepts: 'a port number from 1 to 65535',
    default: '8080',
    meaning: 'Where the Partner API, the widget and the web pages are served.',
  },
  {
    name: 'HOST',
    accepts: 'a host name or an IP address',
    default: 'localhost',
    meaning: 'The address to listen on. `localhost` is both loopback addresses; `0.0.0.0` or `::` are all.',
  },
  {
    name: 'CASENOTE_DATA_DIR',
    accepts: 'a folder',
    default: '.casenote',
    meaning: 'Embedded database, generated master key, sandbox credentials, audit anchors, recordings.',
  },
  {
    name: 'DATABASE_URL',
    accepts: 'a postgres:// URL',
    default: null,
    meaning:
      'The PostgreSQL server (15 or later) and the login of the services. Absent: the embedded server.',
  },
  {
    name: 'CASENOTE_MIGRATE_URL',
    accepts: 'a postgres:// URL',
    default: null,
    meaning: 'The owner of the schema, for `casenote migrate` and the operator commands.',
  },
  {
    name: 'CASENOTE_DISPATCHER_URL',
    accepts: 'a postgres:// URL',
    default: 'the login casenote_dispatch of the embedded server, or DATABASE_URL',
    meaning: 'The login of the webhook dispatcher.',
  },
  {
    name: 'CASENOTE_PUBLIC_URL',
    accepts: 'an http:// or https:// URL without path, query or fragment',
    default: 'http://localhost:PORT',
    meaning: 'How partners and browsers reach this installation; URLs in events and links start with it.',
  },
  {
    name: 'CASENOTE_ADMIN_PORT',
    accepts: 'a port number from 1 to 65535',
    default: null,
    meaning: 'Serves `/metrics`, `/health/live` and `/health/ready` on the loopback address, for every role.',
  },
  {
    name: 'CASENOTE_MASTER_KEY',
    accepts: '32 random bytes in base64',
    default: 'the file master.key in the data folder',
    meaning:
      'Wraps the data keys of all tenants. Make one with `openssl rand -base64 32`; losing it loses the data.',
  },
  {
    name: 'CASENOTE_MASTER_KEY_PREVIOUS',
    accepts: '32 random bytes in base64',
    default: null,
    meaning: 'The master key before, while `casenote keys rewrap` has not run yet.',
  },
  {
    name: 'CASENOTE_LOG_LEVEL',
    accepts: `one of ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    meaning: 'How much is logged. `debug` has one line per request; ids only, at every level.',
  },
  {
    name: 'CASENOTE_DATABASE_POOL',
    accepts: 'a whole number from 2 to 200',
    default: '20',
    meaning: 'Database connections per process.',
  },
  {
    name: 'CASENOTE_SANDBOX',
    accepts: 'on or off',
    default: 'on',
    meaning: 'Whether `casenote start` provisions a sandbox partner when the database has no partner yet.',
  },
  {
    name: 'CASENOTE_DELIVERY_RETENTION_DAYS',
    accepts: 'a whole number from 5 to 3650',
    default: '30',
    meaning:
      'How long finished webhook deliveries are kept and can be recovered. What is still on its way is kept however old.',
  },
  {
    name: 'CASENOTE_BLOB_STORE',
    accepts: 'folder or s3',
    default: 'folder',
    meaning:
      'Where recordings lie, sealed: below the data folder, or in an S3-compatible store, which several machines need.',
  },
  {
    name: 'CASENOTE_S3_ENDPOINT',
    accepts: 'an http:// or https:// URL without query or fragment',
    default: null,
    meaning: 'The S3-compatible store.',
  },
  {
    name: 'CASENOTE_S3_BUCKET',
    accepts: 'the name of a bucket',
    default: null,
    meaning: 'Must exist; may be shared, since every installation writes below its own id.',
  },
  {
    name: 'CASENOTE_S3_REGION',
    accepts: 'the name of a region',
    default: 'us-east-1',
    meaning: 'Part of every signature; stores without regions take the default.',
  },
  {
    name: 'CASENOTE_S3_ACCESS_KEY_ID',
    accepts: 'an access key id',
    default: null,
    meaning: 'May put, get, delete and list in the bucket.',
  },
  {
    name: 'CASENOTE_S3_SECRET_ACCESS_KEY',
    accepts: 'a secret access key',
    default: null,
    meaning: 'Belongs to the access key id.',
  },
  {
    name: 'CASENOTE_S3_PATH_STYLE',
    accepts: 'on or off',
    default: 'on',
    meaning: 'Whether the bucket stands in the path; off: in front of the host name.',
  },
  {
    name: 'CASENOTE_AUDIO_RETENTION_DAYS',
    accepts: 'a whole number from 1 to 3650',
    default: '7',
    meaning: 'How long a recording is kept once it has arrived; then its bytes are deleted.',
  },
] as const satisfies readonly Variable[]

type VariableName = (typeof VARIABLES)[number]['name']

/** Names the variable and what it may be, never its value: it may be a password. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = []
  const read: ReadVariable = (name, parse, fallback) => {
    const text = env[name]?.trim()
    if (text === undefined || text === '') return fallback
    const value = parse(text)
    if (value !== null) return value
    problems.push(`${name} must be ${VARIABLES.find((variable) => variable.name === name)?.accepts}`)
    return fallback
  }
  const port = read('PORT', parsePort, 8080)
  const databaseUrl = read('DATABASE_URL', parseDatabaseUrl, null)
  const config: Config = {
    port,
    host: read('HOST', (text) => (/[\s/]/.test(text) ? null : text), 'localhost'),
    dataDir: resolve(read('CASENOTE_DATA_DIR', (text) => text, '.casenote')),
    databaseUrl,
    migrateUrl: read('CASENOTE_MIGRATE_URL', parseDatabaseUrl, null),
    dispatcherUrl: read('CASENOTE_DISPATCHER_URL', parseDatabaseUrl, databaseUrl),
    publicUrl: read('CASENOTE_PUBLIC_URL', parsePublicUrl, `http://localhost:${port}`),
    adminPort: read('CASENOTE_ADMIN_PORT', parsePort, null),
    masterKey: read('CASENOTE_MASTER_KEY', parseMasterKey, null),
    previousMasterKey: read('CASENOTE_MASTER_KEY_PREVIOUS', parseMasterKey, null),
    logLevel: read('CASENOTE_LOG_LEVEL', parseOneOf(LOG_LEVELS), 'info'),
    databasePoolSize: read('CASENOTE_DATABASE_POOL', parseWholeNumber(2, 200), 20),
    isSandboxProvisioned: read('CASENOTE_SANDBOX', parseOneOf(['on', 'off']), 'on') === 'on',
    deliveryRetentionDays: read('CASENOTE_DELIVERY_RETENTION_DAYS', parseWholeNumber(5, 3650), 30),
    s3: readS3(read, problems),
    audioRetentionDays: read('CASENOTE_AUDIO_RETENTION_DAYS', parseWholeNumber(1, 3_650), 7),
  }
  if (config.previousMasterKey !== null && config.masterKey === null) {
    problems.push('CASENOTE_MASTER_KEY_PREVIOUS must be used together with CASENOTE_MASTER_KEY')
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** An empty value counts as absent, as shells and compose files leave them. */
type ReadVariable = <T>(name: VariableName, parse: (text: string) => T | null, fallback: T) => T

function readS3(read: ReadVariable, problems: string[]): S3Config | null {
  const kind = read('CASENOTE_BLOB_STORE', parseOneOf(['folder', 's3']), 'folder')
  const required = {
    CASENOTE_S3_ENDPOINT: read('CASENOTE_S3_ENDPOINT', parseStoreUrl, ''),
    CASENOTE_S3_BUCKET: read('CASENOTE_S3_BUCKET', parseMatch(/^[\w][\w.-]{1,61}[\w]$/), ''),
    CASENOTE_S3_ACCESS_KEY_ID: read('CASENOTE_S3_ACCESS_KEY_ID', parseMatch(/^[\x21-\x7e]+$/), ''),
    CASENOTE_S3_SECRET_ACCESS_KEY: read('CASENOTE_S3_SECRET_ACCESS_KEY', parseMatch(/^[\x21-\x7e]+$/), ''),
  }
  const region = read('CASENOTE_S3_REGION', parseMatch(/^[a-z0-9-]+$/), 'us-east-1')
  const isPathStyle = read('CASENOTE_S3_PATH_STYLE', parseOneOf(['on', 'off']), 'on') === 'on'
  if (kind === 'folder') return null
  for (const [name, value] of Object.entries(required)) {
    const isNamed = problems.some((problem) => problem.startsWith(`${name} `))
    if (value === '' && !isNamed) problems.push(`${name} must be set when CASENOTE_BLOB_STORE is s3`)
  }
  return {
    endpoint: required.CASENOTE_S3_ENDPOINT,
    bucket: required.CASENOTE_S3_BUCKET,
    accessKeyId: required.CASENOTE_S3_ACCESS_KEY_ID,
    secretAccessKey: required.CASENOTE_S3_SECRET_ACCESS_KEY,
    region,
    isPathStyle,
  }
}

const parseMatch =
  (pattern: RegExp) =>
  (text: string): string | null =>
    pattern.test(text) ? text : null

function parseStoreUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const isBare = url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  return ['http:', 'https:'].includes(url.protocol) && isBare ? url.href : null
}

const parsePort = (text: string): number | null => parseWholeNumber(1, 65_535)(text)

function parseWholeNumber(least: number, most: number): (text: string) => number | null {
  return (text) => {
    const value = Number(text)
    return /^\d+$/.test(text) && value >= least && value <= most ? value : null
  }
}

function parseOneOf<const Value extends string>(values: readonly Value[]): (text: string) => Value | null {
  return (text) => values.find((value) => value === text) ?? null
}

const parseDatabaseUrl = (text: string): string | null => (/^postgres(ql)?:\/\//.test(text) ? text : null)

function parsePublicUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  return ['http:', 'https:'].includes(url.protocol) && isBare ? url.origin : null
}
