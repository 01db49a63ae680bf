import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { homeLanguage } from '@casenote/contract'
import ipaddr from 'ipaddr.js'
import { canConnect, withAuthority } from './db/connection-tls.js'
import type { KeyStoreSetting } from './key-store/key-store.js'
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './log.js'
import {
  hasFile,
  parseCommand,
  parseJson,
  readMasterKey,
  readText,
  withoutOwn,
  type MasterKeySetting,
} from './secret-settings.js'
import { VARIABLES, type ReadVariable, type VariableName } from './variables.js'

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
  adminHost: string
  masterKey: MasterKeySetting
  logLevel: LogLevel
  /** Null: words on a terminal, else JSON. */
  logFormat: LogFormat | null
  databasePoolSize: number
  /** Where the sandbox partner and the demo are served, and sandbox partners may name private addresses (decision 0021). */
  isSandboxHome: boolean
  /** Whether the operator said so, either way, and not the address. */
  isSandboxNamed: boolean
  /** How long finished webhook deliveries are kept; what is older can no longer be recovered. */
  deliveryRetentionDays: number
  /** Null: a folder below the data folder. */
  s3: S3Config | null
  /** Null: nothing is sealed for one client alone, and nothing can be erased. */
  keyStore: KeyStoreSetting | null
  audioRetentionDays: number
  /** Recordings that a worker hears while they are recorded. */
  livePlaces: number
  /** How long it is told what became of a mail to a client. */
  mailRetentionDays: number
  widget: WidgetSettings
  speech: SpeechSettings
  writer: WriterSettings
  /** Null: the one that is found. */
  ffmpegPath: string | null
  /** `us`, or the file with the crisis help that clients are shown. */
  crisisHelp: string
  /** Proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  /** Folders in which programs are found. */
  searchPath: string
  /** Null: the partner hands links to clients. */
  smtp: SmtpConfig | null
  /** Null: traces and metrics are sent nowhere. */
  otlp: OtlpConfig | null
  /** Named like settings, and none: misspelt most likely. */
  unknownVariables: readonly string[]
}

/** How long browser sessions of the widget last. */
interface WidgetSettings {
  idleMinutes: number
  /** Null: for as long as it is renewed. */
  lifetimeHours: number | null
}

interface SmtpConfig {
  url: string
  /** `Name <address>` or an address. */
  from: string
}

/** A collector of OpenTelemetry. */
interface OtlpConfig {
  url: string
  headers: Readonly<Record<string, string>>
  /** The share of traces that are kept, from 0 to 1. */
  traceShare: number
}

interface S3Config {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  isPathStyle: boolean
}

/** A server that speaks the OpenAI protocol, and its model. */
interface EngineServer {
  engine: 'openai'
  url: string
  model: string
  apiKey: string | null
}

/** `languages`: that it knows beside English. The embedded one knows no other. */
export type SpeechSettings = { languages: readonly string[] } & ({ engine: 'embedded' } | EngineServer)

/** `chosen`: nothing is set, and `casenote model use` decides; without a choice, `extract`. */
export type WriterSettings = {
  fallback: 'none' | 'extract'
  /** The key for the server, also for one that was chosen by a command: no key is kept with the choice. */
  apiKey: string | null
} & (
  | { engine: 'chosen' | 'extract' | 'local' }
  | (EngineServer & { contextTokens: number; extraBody: Readonly<Record<string, unknown>> })
)

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
    const { text, source } = readText(name, env, problems)
    if (text === null) return fallback
    const value = parse(text)
    if (value !== null) return value
    problems.push(`${source} ${VARIABLES.find((variable) => variable.name === name)?.accepts}`)
    return fallback
  }
  const port = read('PORT', parsePort, 8080)
  const host = read('HOST', parseHost, 'localhost')
  const sandbox = read('CASENOTE_SANDBOX', parseOneOf(['on', 'off']), null)
  const authority = read('CASENOTE_DATABASE_CA', parseCertificates, null)
  const readDatabaseUrl = (name: VariableName, fallback: string | null): string | null => {
    const url = read(name, parseDatabaseUrl, null)
    if (url === null) return fallback
    return authority === null ? url : withAuthority(url, authority)
  }
  const databaseUrl = readDatabaseUrl('DATABASE_URL', null)
  const migrateUrl = readDatabaseUrl('CASENOTE_MIGRATE_URL', null)
  const dataDir = resolve(read('CASENOTE_DATA_DIR', (text) => text, '.casenote'))
  const config: Config = {
    port,
    host,
    dataDir,
    databaseUrl,
    migrateUrl,
    dispatcherUrl: readDatabaseUrl('CASENOTE_DISPATCHER_URL', databaseUrl),
    publicUrl: read('CASENOTE_PUBLIC_URL', parsePublicUrl, `http://localhost:${port}`),
    adminPort: read('CASENOTE_ADMIN_PORT', parsePort, null),
    adminHost: read('CASENOTE_ADMIN_HOST', parseHost, '127.0.0.1'),
    masterKey: readMasterKey(env, read, problems),
    logLevel: read('CASENOTE_LOG_LEVEL', parseOneOf(LOG_LEVELS), 'info'),
    logFormat: read('CASENOTE_LOG_FORMAT', parseOneOf(LOG_FORMATS), null),
    databasePoolSize: read('CASENOTE_DATABASE_POOL', parseWholeNumber(2, 200), 20),
    isSandboxHome: sandbox === null ? isLoopback(host) : sandbox === 'on',
    isSandboxNamed: sandbox !== null,
    deliveryRetentionDays: read('CASENOTE_DELIVERY_RETENTION_DAYS', parseWholeNumber(5, 3650), 30),
    s3: readS3(read, problems),
    keyStore: read(
      'CASENOTE_KEY_STORE',
      (text) => parseKeyStore(text, env),
      databaseUrl === null && migrateUrl === null
        ? { kind: 'folder', path: join(dataDir, 'key-store') }
        : null,
    ),
    audioRetentionDays: read('CASENOTE_AUDIO_RETENTION_DAYS', parseWholeNumber(1, 3_650), 7),
    livePlaces: read(
      'CASENOTE_LIVE_PLACES',
      parseWholeNumber(0, 64),
      Math.min(8, 2 * availableParallelism()),
    ),
    mailRetentionDays: read('CASENOTE_MAIL_RETENTION_DAYS', parseWholeNumber(1, 3_650), 90),
    widget: {
      idleMinutes: read('CASENOTE_WIDGET_IDLE_MINUTES', parseWholeNumber(1, 480), 15),
      lifetimeHours: read('CASENOTE_WIDGET_SESSION_HOURS', parseWholeNumber(1, 8_760), null),
    },
    speech: readSpeech(read, problems),
    writer: readWriter(read, problems),
    ffmpegPath: read('CASENOTE_FFMPEG', (text) => (isAbsolute(text) ? text : null), null),
    crisisHelp: read(
      'CASENOTE_CRISIS_HELP',
      (text) => (text === 'us' || isAbsolute(text) ? text : null),
      'us',
    ),
    trustedProxies: read('CASENOTE_TRUSTED_PROXIES', parseNetworks, []),
    searchPath: env.PATH ?? '',
    smtp: readSmtp(read, problems),
    otlp: readOtlp(read, problems),
    unknownVariables: listUnknown(env),
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

function parseKeyStore(text: string, env: NodeJS.ProcessEnv): KeyStoreSetting | null {
  if (isAbsolute(text)) return { kind: 'folder', path: text }
  const bucket = /^s3:([\w][\w.-]{1,61}[\w])$/.exec(text)?.[1]
  if (bucket !== undefined) return { kind: 's3', bucket }
  const words = parseCommand(text)
  return words === null ? null : { kind: 'command', words, env: withoutOwn(env) }
}

function parseCertificates(path: string): string | null {
  if (!isAbsolute(path)) return null
  try {
    return readFileSync(path, 'utf8').includes('-----BEGIN CERTIFICATE-----') ? path : null
  } catch {
    return null // The sentence about it says that it must be a file.
  }
}

const parseHost = (text: string): string | null => (/[\s/]/.test(text) ? null : text)

/** Kubernetes adds some for a service that is called `casenote`. */
const addedByCluster = /^CASENOTE_(SERVICE_(HOST|PORT)|PORT$|PORT_\d)/

const listUnknown = (env: NodeJS.ProcessEnv): string[] =>
  Object.keys(env).filter(
    (name) =>
      name.startsWith('CASENOTE_') &&
      !VARIABLES.some((variable) => variable.name === name || hasFile(variable, name)) &&
      !addedByCluster.test(name),
  )

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

function readSmtp(read: ReadVariable, problems: string[]): SmtpConfig | null {
  const known = problems.length
  const url = read('CASENOTE_SMTP_URL', parseSmtpUrl, null)
  const from = read(
    'CASENOTE_MAIL_FROM',
    parseMatch(/^([^<>\r\n"]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/),
    null,
  )
  if (url !== null && from !== null) return { url, from }
  if ((url !== null || from !== null) && problems.length === known) {
    problems.push('CASENOTE_SMTP_URL must be used together with CASENOTE_MAIL_FROM')
  }
  return null
}

function readOtlp(read: ReadVariable, problems: string[]): OtlpConfig | null {
  const url = read('CASENOTE_OTLP_URL', parseEngineUrl, null)
  const headers = read('CASENOTE_OTLP_HEADERS', parseHeaders, null)
  const traceShare = read('CASENOTE_OTLP_TRACE_SHARE', parseShare, 1)
  if (url !== null) return { url, headers: headers ?? {}, traceShare }
  if (headers !== null && problems.length === 0)
    problems.push('CASENOTE_OTLP_HEADERS must be used together with CASENOTE_OTLP_URL')
  return null
}

/** Headers as OpenTelemetry's own variables have them: `name=value,name=value`. */
function parseHeaders(text: string): Record<string, string> | null {
  const pairs = text.split(',').map((pair) => /^\s*([\w-]{1,100})=([ -~]{1,4000})$/.exec(pair))
  if (pairs.includes(null)) return null
  return Object.fromEntries(pairs.map((pair) => [(pair?.[1] ?? '').toLowerCase(), (pair?.[2] ?? '').trim()]))
}

function parseShare(text: string): number | null {
  const value = Number(text)
  return /^\d(?:\.\d+)?$/.test(text) && value >= 0 && value <= 1 ? value : null
}

function parseSmtpUrl(text: string): string | null {
  if (!/^smtps?:\/\/[^\s\\]+$/.test(text) || !URL.canParse(text)) return null
  const { hostname, pathname, search, hash } = new URL(text)
  return hostname !== '' && ['', '/'].includes(pathname) && search === '' && hash === '' ? text : null
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

/** The server's variables are read in any case: what does not fit is said, even while it is not used. */
function readSpeech(read: ReadVariable, problems: string[]): SpeechSettings {
  const engine = read('CASENOTE_SPEECH_ENGINE', parseOneOf(['embedded', 'openai']), 'embedded')
  const apiKey = readKey('SPEECH', read)
  const server = readServer('SPEECH', { isWanted: engine === 'openai', apiKey }, read, problems)
  const languages = read('CASENOTE_SPEECH_LANGUAGES', parseLanguages, [])
  if (engine === 'embedded' && languages.length > 0)
    problems.push('CASENOTE_SPEECH_LANGUAGES must be used together with CASENOTE_SPEECH_ENGINE openai')
  return { ...(server ?? { engine: 'embedded' }), languages }
}

/** Whisper knows 99. */
const languagesMost = 100

function parseLanguages(text: string): string[] | null {
  const tags = text.split(',').map((tag) => tag.trim())
  const isFit = tags.length <= languagesMost && tags.every((tag) => /^[a-z]{2,3}$/.test(tag))
  return isFit ? [...new Set(tags)].filter((tag) => tag !== homeLanguage) : null
}

const readKey = (part: 'SPEECH' | 'WRITER', read: ReadVariable): string | null =>
  read(`CASENOTE_${part}_API_KEY`, parseMatch(/^[!-~]{1,1000}$/), null)

/** Null: not wanted, or not whole, which is a problem then. */
function readServer(
  part: 'SPEECH' | 'WRITER',
  { isWanted, apiKey }: { isWanted: boolean; apiKey: string | null },
  read: ReadVariable,
  problems: string[],
): EngineServer | null {
  const known = problems.length
  const url = read(`CASENOTE_${part}_URL`, parseEngineUrl, null)
  const model = read(`CASENOTE_${part}_MODEL`, (text) => (/^\S{1,200}$/.test(text) ? text : null), null)
  if (!isWanted) return null
  if (url !== null && model !== null) return { engine: 'openai', url, model, apiKey }
  if (problems.length === known) {
    problems.push(
      `CASENOTE_${part}_ENGINE openai must be used together with CASENOTE_${part}_URL and CASENOTE_${part}_MODEL`,
    )
  }
  return null
}

function readWriter(read: ReadVariable, problems: string[]): WriterSettings {
  const engine = read('CASENOTE_WRITER_ENGINE', parseOneOf(['extract', 'local', 'openai', 'embedded']), null)
  const apiKey = readKey('WRITER', read)
  const server = readServer('WRITER', { isWanted: engine === 'openai', apiKey }, read, problems)
  // Below 8,192 the rules and an answer leave no room for a session.
  const contextTokens = read('CASENOTE_WRITER_CONTEXT_TOKENS', parseWholeNumber(8_192, 2_000_000), 32_768)
  const extraBody = read('CASENOTE_WRITER_EXTRA_BODY', parseJsonObject, {})
  const fallback = read('CASENOTE_WRITER_FALLBACK', parseOneOf(['none', 'extract']), 'none')
  if (server !== null) return { ...server, contextTokens, extraBody, fallback }
  if (engine === null) return { engine: 'chosen', apiKey, fallback }
  // `embedded` was the writer of rules that is gone; an upgrade must start all the same.
  return { engine: engine === 'local' ? 'local' : 'extract', apiKey, fallback }
}

function parseJsonObject(text: string): Record<string, unknown> | null {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
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

/** A name is not looked up: what it means may change, and who reaches it with it. */
function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  return host === 'localhost' || (ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback')
}

/** Addresses and networks, as `10.0.0.0/8`. */
function parseNetworks(text: string): string[] | null {
  const networks = text.split(',').map((part) => part.trim())
  return networks.every((network) => ipaddr.isValid(network) || ipaddr.isValidCIDR(network)) ? networks : null
}

const parseDatabaseUrl = (text: string): string | null =>
  /^postgres(ql)?:\/\//.test(text) && canConnect(text) ? text : null

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
