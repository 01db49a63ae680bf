import { isAbsolute, resolve } from 'node:path'
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
  speech: SpeechSettings
  writer: WriterSettings
  /** Null: the one that is found. */
  ffmpegPath: string | null
}

/** A server that speaks the OpenAI protocol, and its model. */
interface EngineServer {
  engine: 'openai'
  url: string
  model: string
  apiKey: string | null
}

export type SpeechSettings = { engine: 'embedded' } | EngineServer
export type WriterSettings = { engine: 'embedded' } | (EngineServer & { contextTokens: number })

interface Variable {
  name: string
  /** What it may be, in words: the second half of the error that names it. */
  accepts: string
  /** As the table in docs/configuration.md shows it; null where there is none. */
  default: string | null
  meaning: string
}

const engineUrlAccepts = 'an http:// or https:// URL without query, fragment, user name or password'
const engineModelAccepts = 'the name of a model, without spaces'
const engineKeyAccepts = 'printable ASCII characters without spaces'

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
    meaning: 'Embedded database, generated master key, sandbox credentials, audit anchors.',
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
    name: 'CASENOTE_SPEECH_ENGINE',
    accepts: 'one of embedded, openai',
    default: 'embedded',
    meaning: 'What turns sound into words: on this machine, or a server of the OpenAI protocol (engines.md).',
  },
  {
    name: 'CASENOTE_SPEECH_URL',
    accepts: engineUrlAccepts,
    default: null,
    meaning: 'The speech server, for the engine `openai`. Without a path `/v1` is added.',
  },
  {
    name: 'CASENOTE_SPEECH_MODEL',
    accepts: engineModelAccepts,
    default: null,
    meaning: 'The model that the speech server shall use.',
  },
  {
    name: 'CASENOTE_SPEECH_API_KEY',
    accepts: engineKeyAccepts,
    default: null,
    meaning: 'The key of the speech server, if it wants one.',
  },
  {
    name: 'CASENOTE_WRITER_ENGINE',
    accepts: 'one of embedded, openai',
    default: 'embedded',
    meaning: 'What writes notes: on this machine, or a server of the OpenAI protocol (engines.md).',
  },
  {
    name: 'CASENOTE_WRITER_URL',
    accepts: engineUrlAccepts,
    default: null,
    meaning: 'The writer server, for the engine `openai`. Without a path `/v1` is added.',
  },
  {
    name: 'CASENOTE_WRITER_MODEL',
    accepts: engineModelAccepts,
    default: null,
    meaning: 'The model that the writer server shall use.',
  },
  {
    name: 'CASENOTE_WRITER_API_KEY',
    accepts: engineKeyAccepts,
    default: null,
    meaning: 'The key of the writer server, if it wants one.',
  },
  {
    name: 'CASENOTE_WRITER_CONTEXT_TOKENS',
    accepts: 'a whole number from 8192 to 2000000',
    default: '32768',
    meaning:
      'The context of the writer model, prompt and answer together. Longer transcripts are read in parts.',
  },
  {
    name: 'CASENOTE_FFMPEG',
    accepts: 'the absolute path of a program',
    default: 'ffmpeg of the system, or the one that comes with the packages',
    meaning: 'What decodes recordings.',
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

type Read = <T>(name: VariableName, parse: (text: string) => T | null, fallback: T) => T

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = []
  /** An empty value counts as absent, as shells and compose files leave them. */
  const read: Read = (name, parse, fallback) => {
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
    speech: readEngineServer('SPEECH', read, problems),
    writer: readWriter(read, problems),
    ffmpegPath: read('CASENOTE_FFMPEG', (text) => (isAbsolute(text) ? text : null), null),
  }
  if (config.previousMasterKey !== null && config.masterKey === null) {
    problems.push('CASENOTE_MASTER_KEY_PREVIOUS must be used together with CASENOTE_MASTER_KEY')
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** The server's variables are read in any case: what does not fit is said, even while it is not used. */
function readEngineServer(part: 'SPEECH' | 'WRITER', read: Read, problems: string[]): SpeechSettings {
  const engine = read(`CASENOTE_${part}_ENGINE`, parseOneOf(['embedded', 'openai']), 'embedded')
  const known = problems.length
  const url = read(`CASENOTE_${part}_URL`, parseEngineUrl, null)
  const model = read(`CASENOTE_${part}_MODEL`, (text) => (/^\S{1,200}$/.test(text) ? text : null), null)
  const apiKey = read(
    `CASENOTE_${part}_API_KEY`,
    (text) => (/^[!-~]{1,1000}$/.test(text) ? text : null),
    null,
  )
  if (engine === 'embedded') return { engine }
  if (url !== null && model !== null) return { engine, url, model, apiKey }
  if (problems.length === known) {
    problems.push(
      `CASENOTE_${part}_ENGINE openai must be used together with CASENOTE_${part}_URL and CASENOTE_${part}_MODEL`,
    )
  }
  return { engine: 'embedded' }
}

function readWriter(read: Read, problems: string[]): WriterSettings {
  const server = readEngineServer('WRITER', read, problems)
  // Below 8,192 the rules and an answer leave no room for a session.
  const contextTokens = read('CASENOTE_WRITER_CONTEXT_TOKENS', parseWholeNumber(8_192, 2_000_000), 32_768)
  return server.engine === 'openai' ? { ...server, contextTokens } : server
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

function parseEngineUrl(text: string): string | null {
  if (!/^https?:\/\/[^\s\\]+$/.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  const isPlain = url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  return isPlain ? text : null
}
