import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { readModels } from '../../src/engines/models/local/model-store.js'
import { readModelChoice } from '../../src/engines/models/model-choice.js'
import { reckonMinutes } from '../../src/engines/models/reckon-minutes.js'
import { openReader } from '../../src/engines/reader/open-reader.js'
import { promptVersion } from '../../src/engines/writer/prose/prompt-version.js'
import { lockDataFolder } from '../../src/main/embedded-postgres/index.js'
import { identifyModel, modelIdOf } from '../../src/main/models/identify-model.js'
import { findModels, install, listModels, remove, verify } from '../../src/main/models/run-model-command.js'
import { suggestModel } from '../../src/main/models/suggest-model.js'
import { checkSpeed, use } from '../../src/main/models/use-model.js'
import { keepProof, proofIdOf, type KeptProof } from '../../src/main/proof/kept-proofs.js'
import { OpenAiTestServer } from '../engines/openai-server.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let dataDir: string
let printed: string
let warned: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'casenote-model-commands-'))
  vi.stubEnv('CASENOTE_DATA_DIR', dataDir)
  printed = ''
  warned = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    warned += String(text)
    return true
  })
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
})
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await rm(dataDir, { recursive: true, force: true })
})

/** A proof that passed, of this version. */
const keptProof = (changes: Partial<KeptProof>): KeptProof => {
  const reader = openReader()
  return {
    at: '2026-02-03T04:05:06.000Z',
    engine: 'openai',
    model: 'some-model',
    url: null,
    sha256: null,
    prompt: promptVersion,
    reader: reader.version,
    isPassed: true,
    problems: [],
    figures: {
      sessions: 7,
      danger: 9,
      dangerFound: 9,
      dangerTold: 9,
      facts: 60,
      factsWritten: 55,
      forbidden: 0,
      sentences: 100,
      draftSentences: 98,
      refusedBeforeRepair: 4,
      refusedAfterRepair: 1,
      verified: 99,
      seconds: 60.5,
      memoryMb: 300,
    },
    ...changes,
  }
}

const answer = JSON.stringify({ text: 'They spoke about sleep and about walking in the evening. '.repeat(8) })

async function withServer(work: (url: string, server: OpenAiTestServer) => Promise<void>): Promise<void> {
  const server = new OpenAiTestServer({ apiKey: null, writeAsModel: () => answer, transcribe: () => ({}) })
  const url = await server.start()
  try {
    await work(url, server)
  } finally {
    await server.close()
  }
}

describe('casenote model use', () => {
  const masterKey = randomBytes(32)
  let service: TestService
  let partners: TestPartner[]
  beforeAll(async () => {
    service = await makeTestService({ masterKey })
    partners = [await service.addPartner(), await service.addPartner()]
  })
  afterAll(() => service.close())
  beforeEach(() => {
    vi.stubEnv('DATABASE_URL', service.database.databaseUrl)
    vi.stubEnv('CASENOTE_MIGRATE_URL', service.database.migrateUrl)
    vi.stubEnv('CASENOTE_MASTER_KEY', masterKey.toString('base64'))
  })

  /** The newest entry of each partner, as the chainer will find it. */
  const readNoted = (): Promise<unknown[]> =>
    Promise.all(
      partners.map(async ({ partnerId: tenantId }) => {
        const rows = await service.db.read(
          { tenantId },
          {
            name: 'test_newest_pending',
            text: `select operation, actor_kind as "actorKind", actor_id as "actorId", subject_ids::text as subjects
              from casenote.audit_pending where tenant_id = $1 order by pending_id desc limit 1`,
            values: [tenantId],
          },
        )
        return rows[0]
      }),
    )

  const noted = (operation: string, ...subjects: string[]) => {
    const entry = { operation, actorKind: 'operator', actorId: null, subjects: `{${subjects.join(',')}}` }
    return [entry, entry]
  }

  it('warns of a model without a proof, below the gate or proved long ago, and notes it in every audit log', () =>
    withServer(async (url) => {
      const choose = async (): Promise<string> => {
        warned = ''
        await use(url, { model: 'some-model', gpu: true })
        expect((await readModels(dataDir)).inUse).toMatchObject({ model: 'some-model' })
        return warned
      }
      const identity = identifyModel({
        engine: 'openai',
        url,
        model: 'some-model',
        contextTokens: 1,
        extraBody: {},
      })
      const modelId = modelIdOf(identity)
      const command = 'casenote prove --model some-model\n'

      expect(await choose()).toMatch(/^Warning: there is no proof of some-model here/)
      expect(warned).toContain(command)
      expect(await readNoted()).toEqual(noted('model.useUnproved', modelId))
      expect(printed).toContain(`Noted in the audit log: model.useUnproved of ${modelId}.`)

      const below = keptProof({ ...identity, isPassed: false, problems: ['61 % of the facts are written.'] })
      await keepProof(dataDir, below)
      expect(await choose()).toMatch(/^Warning: some-model did not pass its proof of 2026-02-03: 61 % of/)
      expect(warned).toContain(command)
      expect(await readNoted()).toEqual(noted('model.useBelowGate', modelId, proofIdOf(below)))

      const old = keptProof({ ...identity, prompt: 'of before' })
      await keepProof(dataDir, old)
      expect(await choose()).toMatch(/^Warning: some-model passed on 2026-02-03, with other prompts/)
      expect(await readNoted()).toEqual(noted('model.useUnproved', modelId, proofIdOf(old)))

      const passed = keptProof(identity)
      await keepProof(dataDir, passed)
      await keepProof(dataDir, keptProof({ ...identity, model: 'other', isPassed: false }))
      expect(await choose()).toBe('')
      expect(await readNoted()).toEqual(noted('model.useProved', modelId, proofIdOf(passed)))

      await use('none', { gpu: true })
      expect(await readNoted()).toEqual(noted('model.useNone'))
      expect((await stat(join(dataDir, 'proofs/verdicts.json'))).mode & 0o777).toBe(0o600)
    }))

  it('warns where the verdicts cannot be read, and chooses nothing where the log cannot be written', () =>
    withServer(async (url, server) => {
      await mkdir(join(dataDir, 'proofs'))
      await writeFile(join(dataDir, 'proofs/verdicts.json'), '{ "version": 1, "proofs": [ {')
      await use(url, { model: 'm', gpu: true })
      expect(warned).toContain('there is no proof of m here')
      await use('none', { gpu: true })
      server.chats.length = 0
      vi.stubEnv('CASENOTE_MIGRATE_URL', '')
      await expect(use(url, { model: 'm', gpu: true })).rejects.toThrow('CASENOTE_MIGRATE_URL')
      expect(server.chats).toEqual([])
      expect(await readModels(dataDir)).toMatchObject({ inUse: null })
    }))

  it('measures a server, keeps the choice, and forgets it again', () =>
    withServer(async (url, server) => {
      await use(url, { model: 'some-model', gpu: true, extraBody: { top_p: 0.9 } })
      expect(server.chats).toHaveLength(1)
      expect(server.chats[0]).toMatchObject({ model: 'some-model', top_p: 0.9 })
      expect(printed).toMatch(/some-model writes notes from now on; \d+ tokens\/s read, \d+ written/)
      expect(await readModelChoice(dataDir)).toEqual({
        engine: 'openai',
        url: `${url}/v1`,
        model: 'some-model',
        contextTokens: 32_768,
        extraBody: { top_p: 0.9 },
      })
      for (const [name, value] of Object.entries({ ENGINE: 'openai', URL: url, MODEL: 'other' })) {
        vi.stubEnv(`CASENOTE_WRITER_${name}`, value)
      }
      await listModels(false)
      expect(printed).toContain('CASENOTE_WRITER_ENGINE is set, and wins')
      await use('none', { gpu: true })
      expect(await readModelChoice(dataDir)).toBeNull()
    }))

  it('keeps nothing when the server does not answer as a model, is not named, or the address holds a secret', () =>
    withServer(async (url, server) => {
      server.mischief.push({ kind: 'status', status: 404 })
      await expect(use(url, { model: 'm', gpu: true })).rejects.toThrow('the model server answered 404')
      await expect(use(url, { gpu: true })).rejects.toThrow('name one with --model')
      const secret = url.replace('http://', 'http://user:word@')
      await expect(use(secret, { model: 'm', gpu: true })).rejects.toThrow('no user name')
      await expect(use('unknown', { gpu: true })).rejects.toThrow('unknown is not installed')
      expect(await readModels(dataDir)).toMatchObject({ inUse: null })
    }))

  it('refuses a model whose passes take longer than the session, with the figure, unless forced', () => {
    const slow = { readTokensPerSecond: 20, writeTokensPerSecond: 1.2 }
    expect(reckonMinutes(slow)).toBeCloseTo(72.5)
    expect(() => checkSpeed('m', slow, false)).toThrow(/20 tokens\/s read, 1\.2 written: at least 73 minutes/)
    checkSpeed('m', slow, true)
    checkSpeed('m', { readTokensPerSecond: 20, writeTokensPerSecond: 2 }, false)
  })
})

describe('casenote model', () => {
  it('list shows the catalogue, and says that nothing is in use', async () => {
    await listModels(false)
    expect(printed).toContain('No model is in use: notes are extracts')
    expect(printed).toMatch(/qwen3-8b +5\.0 GB .* Apache-2\.0 +no/)
  })

  it('verify and remove tell what is not installed', async () => {
    await expect(verify(null)).rejects.toThrow('nothing is installed')
    await expect(verify('x')).rejects.toThrow('x is not installed')
    await expect(remove('x')).rejects.toThrow('x is not installed')
  })

  it('clears what a killed install left, and waits for one that lives', async () => {
    const models = join(dataDir, 'models')
    const left = ['runtime.4711.new', 'runtime.0123456789abcdef.new']
    for (const name of left) {
      await mkdir(join(models, name, 'node_modules'), { recursive: true })
      await writeFile(join(models, name, 'node_modules', 'half'), '')
    }
    await writeFile(join(models, 'begun.gguf.part'), 'half')
    await writeFile(join(models, 'begun.gguf.part.from'), '{}')
    await writeFile(join(dataDir, 'broken'), 'no model')
    const living = await lockDataFolder(models, { command: 'model' })
    await expect(install(join(dataDir, 'broken'), { gpu: 'none' })).rejects.toThrow(
      `another command changes the models (pid ${process.pid})`,
    )
    expect(await readdir(models)).toEqual(expect.arrayContaining(left))
    await living.release()
    await expect(install(join(dataDir, 'broken'), { gpu: 'none' })).rejects.toThrow('GGUF')
    expect(await readdir(models)).toEqual(['begun.gguf.part', 'begun.gguf.part.from'])
    await listModels(false)
    expect(printed).toContain('Begun and not finished: begun.')
    await remove('begun')
    expect(await readdir(models)).toEqual([])
  })

  it('find says where it looked', async () => {
    await findModels(true)
    expect(Array.isArray(JSON.parse(printed))).toBe(true)
  })
})

describe('the hint at the first start', () => {
  let server: Server
  beforeEach(async () => {
    server = createServer((_, response) =>
      response.end(JSON.stringify({ data: [{ id: 'qwen3:8b' }, { id: 'gemma3:12b' }] })),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  it('comes once, later, and names the command', async () => {
    const { port } = server.address() as AddressInfo
    const lines: string[] = []
    const url = `http://127.0.0.1:${port}/v1`
    const places = [
      { name: 'Ollama', port },
      { name: 'vLLM', port },
    ]
    suggestModel(dataDir, { ownPorts: [], places, write: (line) => lines.push(line) })
    expect(lines).toEqual([])
    await expect.poll(() => lines, { timeout: 10_000 }).toHaveLength(7)
    expect(lines[0]).toContain('Notes are extracts of what was said.')
    expect(lines.slice(1)).toEqual(
      ['Ollama', 'vLLM'].flatMap((name) => [
        `${url} (the usual place of ${name})`,
        `  casenote model use ${url} --model qwen3:8b`,
        `  casenote model use ${url} --model gemma3:12b`,
      ]),
    )
  })

  it('and the command name a server where Casenote would listen itself', async () => {
    const { port } = server.address() as AddressInfo
    vi.stubEnv('PORT', String(port))
    await findModels(true, [{ name: 'llama.cpp', port }])
    expect(JSON.parse(printed)).toMatchObject([{ name: 'llama.cpp', models: ['qwen3:8b', 'gemma3:12b'] }])
  })

  it('names the list where no server is', async () => {
    const lines: string[] = []
    suggestModel(dataDir, { ownPorts: [], places: [], write: (line) => lines.push(line) })
    await expect.poll(() => lines, { timeout: 10_000 }).toHaveLength(1)
    expect(lines[0]).toContain('casenote model list')
  })

  it('does not come again', async () => {
    const lines: string[] = []
    const write = (line: string) => lines.push(line)
    suggestModel(dataDir, { ownPorts: [], places: [], write })
    const mark = join(dataDir, 'models/hint-given')
    await expect.poll(() => stat(mark).then(() => true), { timeout: 10_000 }).toBe(true)
    suggestModel(dataDir, { ownPorts: [], places: [], write })
    // Nothing tells that nothing comes; with no place to look at, the first one took milliseconds.
    await sleep(300)
    expect(lines).toHaveLength(1)
  })
})
