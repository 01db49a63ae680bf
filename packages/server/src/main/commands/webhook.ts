import { ALL_EVENT_TYPES, type EventType } from '@casenote/contract'
import { InvalidArgumentError, type Command } from 'commander'
import { readConfig } from '../../kernel/config.js'
import { credentialsFile } from '../sandbox.js'

interface ListenFlags {
  forwardTo?: string
  credentials?: string
  baseUrl?: string
  port?: number
  publicUrl?: string
  events?: EventType[]
  printBody?: true
  json?: true
}

/** For a partner's developer: speaks the Partner API and nothing else of the installation. */
export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description("for a partner's developers")
  webhook
    .command('listen')
    .description('receive events on this machine, show whether their signature is right, and forward them')
    .option('--forward-to <url>', 'where to send them on; answered as this answers', parseWebUrl)
    .option('--events <types>', 'only these, separated by commas', parseEventTypes)
    .option('--credentials <file>', 'JSON with baseUrl, clientId, clientSecret, apiKey; else the sandbox’s')
    .option('--base-url <url>', 'of the Partner API, /v2 included', parseWebUrl)
    .option('--port <n>', 'listen on this port of 127.0.0.1; else any that is free', parsePort)
    .option('--public-url <url>', 'of your tunnel to that port, when the service runs elsewhere', parseWebUrl)
    .option('--print-body', 'print whole bodies; else ids only')
    .option('--json', 'print one JSON object a line')
    .action(async (flags: ListenFlags) => {
      // Only this command needs an HTTP client and server.
      const { listenForWebhooks } = await import('../webhook-listen/listen-for-webhooks.js')
      await listenForWebhooks({
        credentialsFile: flags.credentials ?? credentialsFile(readConfig(process.env).dataDir),
        baseUrl: flags.baseUrl ?? null,
        port: flags.port ?? 0,
        publicUrl: flags.publicUrl ?? null,
        forwardTo: flags.forwardTo ?? null,
        eventTypes: flags.events ?? null,
        isJson: flags.json === true,
        isBodyShown: flags.printBody === true,
      })
    })
}

function parseWebUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol)
  if (!isWeb || url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError('It must be an http or https URL without user name and password.')
  }
  return text
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) {
    throw new InvalidArgumentError('It must be a port number from 1 to 65535.')
  }
  return port
}

function parseEventTypes(text: string): EventType[] {
  return text.split(',').map((name) => {
    const known = ALL_EVENT_TYPES.find((eventType) => eventType === name.trim())
    if (known === undefined) throw new InvalidArgumentError(`Known are: ${ALL_EVENT_TYPES.join(', ')}.`)
    return known
  })
}
