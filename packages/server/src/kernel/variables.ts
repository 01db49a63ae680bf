import { LOG_FORMATS, LOG_LEVELS } from './log.js'

interface Variable {
  name: string
  /** What it may be, in words: the second half of the error that names it. */
  accepts: string
  /** The default as the table in docs/configuration.md shows it; null where there is none. */
  default: string | null
  meaning: string
  /** Can also be given as `NAME_FILE`, the path of a file that holds it. */
  isSecret?: true
}

const databaseUrlAccepts =
  'a postgres:// URL, with sslmode disable, require, verify-ca or verify-full if any, and readable files if it names some'
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
    meaning: 'Embedded database, generated master key, sandbox credentials, audit anchors, recordings.',
  },
  {
    name: 'DATABASE_URL',
    isSecret: true,
    accepts: databaseUrlAccepts,
    default: null,
    meaning:
      'The PostgreSQL server (15 or later) and the login of the services. Absent: the embedded server.',
  },
  {
    name: 'CASENOTE_MIGRATE_URL',
    isSecret: true,
    accepts: databaseUrlAccepts,
    default: null,
    meaning: 'The owner of the schema, for `casenote migrate` and the operator commands.',
  },
  {
    name: 'CASENOTE_DISPATCHER_URL',
    isSecret: true,
    accepts: databaseUrlAccepts,
    default: 'the login casenote_dispatch of the embedded server, or DATABASE_URL',
    meaning: 'The login of the webhook dispatcher.',
  },
  {
    name: 'CASENOTE_DATABASE_CA',
    accepts: 'the absolute path of a file with certificates in PEM',
    default: null,
    meaning:
      "Who signed the database server's certificate. Connections to it are then encrypted and verified (`sslmode=verify-full`) unless their URL says otherwise.",
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
    meaning:
      "Serves `/metrics`, `/health/live` and `/health/ready`, for every role; beside the API also the operator's [console](console.md), to this machine alone.",
  },
  {
    name: 'CASENOTE_ADMIN_HOST',
    accepts: 'a host name or an IP address',
    default: '127.0.0.1',
    meaning:
      'The address of the admin port. Elsewhere than on loopback whoever reaches it reads metrics and health; the console still answers this machine alone.',
  },
  {
    name: 'CASENOTE_MASTER_KEY',
    isSecret: true,
    accepts: '32 random bytes in base64',
    default: 'the file master.key in the data folder',
    meaning:
      'Wraps the data keys of all tenants. Make one with `openssl rand -base64 32`; losing it loses the data.',
  },
  {
    name: 'CASENOTE_MASTER_KEY_PREVIOUS',
    isSecret: true,
    accepts: '32 random bytes in base64',
    default: null,
    meaning: 'The master key before, while `casenote keys rewrap` has not run yet.',
  },
  {
    name: 'CASENOTE_MASTER_KEY_COMMAND',
    accepts: 'a program with its arguments as a JSON array of texts, the program by its absolute path',
    default: null,
    meaning:
      'Prints the master key, and the ones before it on lines after it: how a vault or a KMS is asked. Run without a shell, within 10 s.',
  },
  {
    name: 'CASENOTE_LOG_LEVEL',
    accepts: `one of ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    meaning: 'How much is logged. `debug` has one line per request; ids only, at every level.',
  },
  {
    name: 'CASENOTE_LOG_FORMAT',
    accepts: `one of ${LOG_FORMATS.join(', ')}`,
    default: 'text on a terminal, else json',
    meaning:
      'How the lines of the log look: one JSON object each, for programs, or words for whoever reads along.',
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
    default: 'on where `HOST` is a loopback address, else off',
    meaning:
      'Whether the sandbox is at home here: `casenote start` makes a sandbox partner in a database without partners and serves `/demo`, and sandbox partners may name private addresses. The same for every process that listens.',
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
    isSecret: true,
    accepts: 'an access key id',
    default: null,
    meaning: 'May put, get, delete and list in the bucket.',
  },
  {
    name: 'CASENOTE_S3_SECRET_ACCESS_KEY',
    isSecret: true,
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
    name: 'CASENOTE_KEY_STORE',
    accepts:
      'the absolute path of a folder, s3: and the name of a bucket, or a program with its arguments as a JSON array of texts, the program by its absolute path',
    default: 'the folder key-store in the data folder; none with DATABASE_URL',
    meaning:
      "Where the clients' keys and the list of erasures lie, apart from every backup and shared by all instances: [erasure](erasure.md).",
  },
  {
    name: 'CASENOTE_AUDIO_RETENTION_DAYS',
    accepts: 'a whole number from 1 to 3650',
    default: '7',
    meaning:
      'How long a recording is kept after its note was finalized or its session failed, where its partner has no days of its own (`casenote retention set --recordings`); then its bytes are deleted. While nobody signs the note it stays a year, or these days if they are more.',
  },
  {
    name: 'CASENOTE_LIVE_PLACES',
    accepts: 'a whole number from 0 to 64',
    default: 'two for each core, 8 at the most',
    meaning:
      'How many recordings a worker hears while they are recorded; 0: it leaves them to other workers. Where none hears them, the widget says that they wait, and they are heard when they are complete.',
  },
  {
    name: 'CASENOTE_MAIL_RETENTION_DAYS',
    accepts: 'a whole number from 1 to 3650',
    default: '90',
    meaning:
      'How long the row of a mail to a client is kept after it was sent, failed or was cancelled; its link is gone by then.',
  },
  {
    name: 'CASENOTE_WIDGET_IDLE_MINUTES',
    accepts: 'a whole number from 1 to 480',
    default: '15',
    meaning:
      'Without any input for so long the widget covers what it shows. A recording that runs goes on uncovered.',
  },
  {
    name: 'CASENOTE_WIDGET_SESSION_HOURS',
    accepts: 'a whole number from 1 to 8760',
    default: null,
    meaning:
      'How long after `authenticate` a widget session ends, however often it is renewed. Absent: after seven days without use. Recordings go on after the next `authenticate`.',
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
    isSecret: true,
    accepts: engineKeyAccepts,
    default: null,
    meaning: 'The key of the speech server, if it wants one.',
  },
  {
    name: 'CASENOTE_SPEECH_LANGUAGES',
    accepts: 'language tags of two or three letters with commas between them, as es,fr, at most 100',
    default: null,
    meaning:
      'Languages that the speech server knows beside English: they are offered as the `language` of a session. The same for all processes (engines.md).',
  },
  {
    name: 'CASENOTE_WRITER_ENGINE',
    accepts: 'one of extract, local, openai, embedded',
    default: 'what `casenote model use` chose, else extract',
    meaning:
      'What writes notes: quotes without a model, a model on this machine, or a server of the OpenAI protocol (engines.md). `embedded` is an old name of `extract`.',
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
    isSecret: true,
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
    name: 'CASENOTE_WRITER_EXTRA_BODY',
    accepts: 'a JSON object',
    default: null,
    meaning:
      'Fields that are added to each request to the writer server, for example to switch a model’s thinking off.',
  },
  {
    name: 'CASENOTE_WRITER_FALLBACK',
    accepts: 'one of none, extract',
    default: 'none',
    meaning: 'What becomes of a note that the model cannot write: it fails, or it is quoted.',
  },
  {
    name: 'CASENOTE_FFMPEG',
    accepts: 'the absolute path of a program',
    default: 'ffmpeg of the system if it is 5.1 or later, or the one that comes with the packages',
    meaning: 'What decodes recordings, in a cage (SECURITY.md).',
  },
  {
    name: 'CASENOTE_CRISIS_HELP',
    accepts: 'us or the absolute path of a file',
    default: 'us',
    meaning:
      'The help that clients are shown at an answer about self-harm: 988 in the US, or what the file says (client-pages.md).',
  },
  {
    name: 'CASENOTE_TRUSTED_PROXIES',
    accepts: 'IP addresses or networks, separated by commas',
    default: null,
    meaning:
      'Reverse proxies in front of this installation. Their `X-Forwarded-For` tells who fails to open a link, and from where entries of the audit log came; without it all visitors of a proxy count as one.',
  },
  {
    name: 'CASENOTE_SMTP_URL',
    isSecret: true,
    accepts: 'an smtp:// or smtps:// URL without path, query or fragment',
    default: null,
    meaning:
      'The mail server, with user name and password if it wants them. Links then go to clients who have an e-mail address.',
  },
  {
    name: 'CASENOTE_MAIL_FROM',
    accepts: 'an e-mail address, or a name and an address in angle brackets',
    default: null,
    meaning: 'The sender of those mails; goes together with CASENOTE_SMTP_URL.',
  },
  {
    name: 'CASENOTE_OTLP_URL',
    accepts: engineUrlAccepts,
    default: null,
    meaning:
      'A collector of OpenTelemetry, to which traces and metrics are sent as OTLP over HTTP, at `/v1/traces` and `/v1/metrics` below it (watching.md). Absent: nothing is sent.',
  },
  {
    name: 'CASENOTE_OTLP_HEADERS',
    isSecret: true,
    accepts: 'headers as name=value, separated by commas',
    default: null,
    meaning: 'Sent to the collector with each request, for one that wants a key.',
  },
  {
    name: 'CASENOTE_OTLP_TRACE_SHARE',
    accepts: 'a number from 0 to 1',
    default: '1',
    meaning: 'Which share of all traces is sent to the collector.',
  },
] as const satisfies readonly Variable[]

export type VariableName = (typeof VARIABLES)[number]['name']

/** An empty value counts as absent, as shells and compose files leave them. */
export type ReadVariable = <T>(name: VariableName, parse: (text: string) => T | null, fallback: T) => T
