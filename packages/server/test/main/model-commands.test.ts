import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readModels } from '../../src/engines/models/local/model-store.js'
import { readModelChoice } from '../../src/engines/models/model-choice.js'
import { reckonMinutes } from '../../src/engines/models/reckon-minutes.js'
import { findModels, listModels, remove, verify } from '../../src/main/models/run-model-command.js'
import { suggestModel } from '../../src/main/models/suggest-model.js'
import { checkSpeed, use } from '../../src/main/models/use-model.js'
import { OpenAiTestServer } from '../engines/openai-server.js'

let dataDir: string
let printed: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'casenote-model-commands-'))
  vi.stubEnv('CASENOTE_DATA_DIR', dataDir)
  printed = ''
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

  it('find says where it looked', async () => {
    await findModels(true)
    expect(Array.isArray(JSON.parse(printed))).toBe(true)
  })
})

describe('the hint at the first start', () => {
  let server: Server
  beforeEach(async () => {
    server = createServer((_, response) => response.end(JSON.stringify({ data: [{ id: 'qwen3:8b' }] })))
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
    const places = [{ name: 'Ollama', port }]
    suggestModel(dataDir, { ownPorts: [], places, write: (line) => lines.push(line) })
    expect(lines).toEqual([])
    await expect.poll(() => lines, { timeout: 10_000 }).toHaveLength(1)
    expect(lines[0]).toContain(`casenote model use http://127.0.0.1:${port}/v1 --model qwen3:8b`)
  })

  it('names the list where no server is', async () => {
    const lines: string[] = []
    suggestModel(dataDir, { ownPorts: [], places: [], write: (line) => lines.push(line) })
    await expect.poll(() => lines, { timeout: 10_000 }).toHaveLength(1)
    expect(lines[0]).toContain('casenote model list')
  })
})
