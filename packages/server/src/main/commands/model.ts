import { InvalidArgumentError, Option, type Command } from 'commander'
import type { InstallOptions } from '../models/run-model-command.js'
import type { UseOptions } from '../models/use-model.js'
import { parseName } from './parse-name.js'

/** Each command loads what it needs when it runs: the others start without it. */
const load = () => import('../models/run-model-command.js')

/** Language models that write notes (docs/models.md). Only `use` needs the database, for the audit log. */
export function addModelCommands(program: Command): void {
  const model = program.command('model').description('language models that write notes: docs/models.md')
  model
    .command('list')
    .description('what is in use, what is installed, and what the catalogue knows')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => (await load()).listModels(json === true))
  model
    .command('find')
    .description('model servers on this machine; nothing but GET /v1/models is sent')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => (await load()).findModels(json === true))
  model
    .command('install')
    .description('put a GGUF model and the runtime that fits into the data folder, and prove them')
    .argument('<source>', 'a file, a folder, an http(s) address, or a name of "model list" with --hub')
    .option('--name <name>', 'how it is called from now on')
    .option('--hub <url>', 'the hub that models of the catalogue are fetched from', parseUrl)
    .option('--sha256 <hash>', 'what the hash of the file must be', parseHash)
    .addOption(
      new Option('--gpu <kind>', 'also fetch the runtime for a GPU; some hundred MB')
        .choices(['none', 'cuda', 'vulkan'])
        .default('none'),
    )
    .action(async (source: string, options: InstallOptions) => (await load()).install(source, options))
  model
    .command('use')
    .description(
      'let a model write notes: an installed one, or a server; "none" for extracts; warns of one that did not pass "prove"',
    )
    .argument('<name>', 'a name of "model list", the address of a server, or none')
    .option('--model <name>', 'for a server that has several', parseName)
    .option('--context <tokens>', 'prompt and answer together', parseCount(8_192, 2_000_000))
    .option('--threads <count>', 'of an installed model; half of the cores without it', parseCount(1, 1_024))
    .option('--no-gpu', 'use the processor even where there is a GPU')
    .option('--extra-body <json>', 'fields that a server shall get with each request', parseObject)
    .option('--force', 'even if it is too slow')
    .action(async (name: string, options: UseOptions) =>
      (await import('../models/use-model.js')).use(name, options),
    )
  model
    .command('verify')
    .description('hash installed models again and let them write; exits 1 when one cannot be used')
    .argument('[name]', 'one model; all without it')
    .action(async (name: string | undefined) => (await load()).verify(name ?? null))
  model
    .command('remove')
    .description('delete an installed model')
    .argument('<name>')
    .action(async (name: string) => (await load()).remove(name))
}

function parseUrl(text: string): string {
  if (!/^https?:\/\/[^\s\\]+$/.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('It must be an http:// or https:// address.')
  }
  return text
}

function parseHash(text: string): string {
  const hash = text.toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new InvalidArgumentError('It must be 64 hexadecimal digits.')
  return hash
}

function parseCount(least: number, most: number): (text: string) => number {
  return (text) => {
    const count = Number(text)
    if (!/^\d+$/.test(text) || count < least || count > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
    }
    return count
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('It must be a JSON object.')
}
