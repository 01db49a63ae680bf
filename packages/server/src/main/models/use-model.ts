import {
  changeModels,
  findInstalled,
  type Measured,
  type Use,
} from '../../engines/models/local/model-store.js'
import { proveModel } from '../../engines/models/local/prove-model.js'
import { toSettings, usualContextTokens } from '../../engines/models/model-choice.js'
import { ChatModel } from '../../engines/models/openai/chat-model.js'
import { listServerModels } from '../../engines/models/openai/find-servers.js'
import { measureServer } from '../../engines/models/openai/measure-server.js'
import { minutesMax, reckonMinutes } from '../../engines/models/reckon-minutes.js'
import { OpenAiClient, toBaseUrl } from '../../engines/openai-protocol/openai-client.js'
import { readConfig } from '../../kernel/config.js'
import { asOperator } from '../commands/operator-session.js'
import { print } from '../commands/print.js'
import { waitForSignal } from '../terminal/wait-for-signal.js'
import { describeMeasured, describeProof, formatMinutes } from './describe-model.js'
import { describeStanding, findStanding } from './find-standing.js'
import { identifyModel, type ModelIdentity } from './identify-model.js'
import { recordModelUse } from './record-model-use.js'

/** As CASENOTE_WRITER_CONTEXT_TOKENS has it. */
const serverContextTokens = 32_768

/** A server that reads 600 tokens and writes 200 for longer than this is of no use. */
const measureTimeoutMs = 600_000

/** Found before anything is opened or measured: a name that is not there is refused at once. */
interface Candidate {
  identity: ModelIdentity
  measure(): Promise<Use>
}

export interface UseOptions {
  model?: string
  context?: number
  threads?: number
  gpu: boolean
  extraBody?: Record<string, unknown>
  force?: true
}

export async function use(name: string, options: UseOptions): Promise<void> {
  const { dataDir, writer } = readConfig(process.env)
  const candidate = await findCandidate(dataDir, name, writer.apiKey, options)
  // Around the measuring, which takes minutes: who cannot write the audit log is told before.
  await asOperator(async (session) => {
    const choice = candidate === null ? null : await candidate.measure()
    if (choice !== null) checkSpeed(choice.model, choice.measured, options.force === true)
    const standing = candidate === null ? null : await findStanding(dataDir, candidate.identity)
    // Before the file: the log may name a choice that a full disk prevented, but none may be missing from it.
    const recorded = await recordModelUse(session, candidate?.identity ?? null, standing)
    await changeModels(dataDir, (models) => ({ ...models, inUse: choice }))
    print(false, null, [
      choice === null
        ? 'No model is in use: notes are extracts of what was said.'
        : `${choice.model} writes notes from now on; ${describeMeasured(choice.measured)}.`,
      restart,
      recorded,
      ...(writer.engine === 'chosen' ? [] : ['CASENOTE_WRITER_ENGINE is set, and wins over this choice.']),
    ])
    if (choice !== null && standing !== null) warn(describeStanding(choice.model, standing))
  })
}

const warn = (lines: readonly string[]): void => {
  for (const line of lines) process.stderr.write(`${line}\n`)
}

async function findCandidate(
  dataDir: string,
  name: string,
  apiKey: string | null,
  options: UseOptions,
): Promise<Candidate | null> {
  if (name === 'none') return null
  return /^https?:\/\//.test(name) ? findAtServer(name, apiKey, options) : findLocal(dataDir, name, options)
}

const restart = 'A running service takes it up when it is started again.'

async function findLocal(dataDir: string, name: string, options: UseOptions): Promise<Candidate> {
  const model = await findInstalled(dataDir, name)
  if (model === null) throw new Error(`${name} is not installed: see "casenote model list"`)
  const wanted = options.context ?? usualContextTokens
  const contextTokens = Math.min(wanted, model.contextTokens ?? wanted)
  const how = { contextTokens, threads: options.threads ?? null, gpu: options.gpu ? 'auto' : 'off' } as const
  const settings = toSettings(dataDir, model, how)
  return {
    identity: identifyModel({ engine: 'local', settings }),
    async measure() {
      print(false, null, ['Loading it and letting it write, twice …'])
      const proof = await proveModel(settings, { signal: waitForSignal() })
      print(false, null, describeProof(proof))
      const { measured } = proof
      return { engine: 'local', model: name, ...how, measured, chosenAt: new Date().toISOString() }
    },
  }
}

async function findAtServer(address: string, apiKey: string | null, options: UseOptions): Promise<Candidate> {
  const url = readServerUrl(address)
  const model = options.model ?? (await findOnlyModel(url, apiKey))
  const contextTokens = options.context ?? serverContextTokens
  const extraBody = options.extraBody ?? {}
  const choice = { engine: 'openai', url, model, contextTokens, extraBody } as const
  return {
    identity: identifyModel(choice),
    async measure() {
      const client = new OpenAiClient(
        { name: 'model server', url, apiKey },
        { timeoutMs: measureTimeoutMs, concurrencyMax: 1, attemptsMax: 2 },
      )
      const chat = new ChatModel(client, choice)
      try {
        print(false, null, [`Letting ${model} write …`])
        const measured = await measureServer(chat, waitForSignal())
        return { ...choice, measured, chosenAt: new Date().toISOString() }
      } finally {
        await chat.close()
      }
    },
  }
}

/** It is kept in a file: keys do not belong into it. */
function readServerUrl(address: string): string {
  const { username, password, search, hash } = new URL(address)
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    throw new Error('the address of a server has no user name, password, query or fragment')
  }
  return toBaseUrl(address)
}

async function findOnlyModel(url: string, apiKey: string | null): Promise<string> {
  const models = await listServerModels(url, apiKey)
  if (models === null) throw new Error(`${url} does not say which models it has: name one with --model`)
  if (models.length === 1 && models[0] !== undefined) return models[0]
  throw new Error(`name one of its models with --model: ${models.slice(0, 20).join(', ') || 'it has none'}`)
}

/** Told before anything is written down. */
export function checkSpeed(model: string, measured: Measured, isForced: boolean): void {
  if (reckonMinutes(measured) <= minutesMax || isForced) return
  throw new Error(
    `${model} is too slow here: ${describeMeasured(measured)}, and ${formatMinutes(measured)} are longer than the session. ` +
      'Take a smaller model, a GPU or more cores; --force takes it all the same.',
  )
}
