import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readCatalogue } from '../../../src/engines/models/local/catalogue.js'
import { downloadFile } from '../../../src/engines/models/local/download-file.js'
import {
  findSource,
  installModel,
  type InstallRequest,
  type ModelSource,
} from '../../../src/engines/models/local/install-model.js'
import { findRuntime, findRuntimeGpu } from '../../../src/engines/models/local/install-runtime.js'
import { changeModels, readModels } from '../../../src/engines/models/local/model-store.js'
import { readGguf } from '../../../src/engines/models/local/read-gguf.js'
import { removeModel } from '../../../src/engines/models/local/remove-model.js'
import { chooseRuntimePackages } from '../../../src/engines/models/local/runtime-packages.js'
import { readModelChoice } from '../../../src/engines/models/model-choice.js'
import { makeTinyGguf } from '../../support/tiny-gguf.js'

const bytes = makeTinyGguf()
const sha256 = createHash('sha256').update(bytes).digest('hex')
const signal = new AbortController().signal

let folder: string
let dataDir: string
let hub: Hub
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casenote-install-model-'))
  dataDir = join(folder, 'data')
  hub = await Hub.start()
})
afterEach(async () => {
  await hub.close()
  await rm(folder, { recursive: true, force: true })
})

const part = (): string => join(folder, 'x.part')
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/** Sends on to where the bytes lie, as hubs do, and can break off. */
class Hub {
  readonly ranges: (string | undefined)[] = []
  /** Ends the connection after so many bytes, once for each. */
  readonly breaks: number[] = []
  linkedEtag: string | null = `"${sha256}"`
  etag = '"v1"'
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => this.#serve(request, response))
  }

  static async start(): Promise<Hub> {
    const started = new Hub()
    started.#server.listen(0, '127.0.0.1')
    await once(started.#server, 'listening')
    return started
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (request.url?.endsWith('/missing.gguf')) return void response.writeHead(404).end()
    if (request.url !== '/bytes') {
      const linked = this.linkedEtag === null ? {} : { 'x-linked-etag': this.linkedEtag }
      return void response.writeHead(302, { location: '/bytes', ...linked }).end()
    }
    this.ranges.push(request.headers.range)
    const isSame = (request.headers['if-range'] ?? this.etag) === this.etag
    const start = isSame ? Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0
    if (start >= bytes.length) {
      return void response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end()
    }
    response.writeHead(start > 0 ? 206 : 200, {
      etag: this.etag,
      'content-length': bytes.length - start,
      ...(start > 0 ? { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` } : {}),
    })
    const end = this.breaks.shift()
    if (end === undefined) return void response.end(bytes.subarray(start))
    response.write(bytes.subarray(start, end))
    void this.#breakOff(response, end)
  }

  /** Breaks off once the bytes are in the file: a reset takes along what was not yet read. */
  async #breakOff(response: ServerResponse, end: number): Promise<void> {
    while (!response.destroyed && (await sizeOf(part())) < end) await setImmediate()
    response.destroy()
  }
}

const install = (source: ModelSource, changes: Partial<InstallRequest> = {}) =>
  installModel(
    dataDir,
    { source, name: 'tiny', entry: null, sha256: null, ...changes },
    { onStep: () => undefined, signal },
  )

describe('installing a model', () => {
  it('from a hub: whole, private, with the hash compared with the hub’s', async () => {
    const model = await install({
      kind: 'address',
      url: `${hub.url}/a/b/resolve/main/tiny.gguf?token=secret`,
    })
    expect(model).toMatchObject({
      name: 'tiny',
      sha256,
      comparedWith: 'hub',
      sizeBytes: bytes.length,
      contextTokens: 4_096,
      from: `${hub.url}/a/b/resolve/main/tiny.gguf`,
    })
    expect((await readdir(join(dataDir, 'models'))).toSorted()).toEqual(['models.json', 'tiny.gguf'])
    expect(await readFile(join(dataDir, 'models/tiny.gguf'))).toEqual(bytes)
    expect((await stat(join(dataDir, 'models/models.json'))).mode & 0o777).toBe(0o600)
    expect((await readModels(dataDir)).installed).toEqual([model])
  })

  it('from a server without a digest, and from a file: the hash is recorded', async () => {
    hub.linkedEtag = null
    expect(await install({ kind: 'address', url: `${hub.url}/x.gguf` })).toMatchObject({
      comparedWith: 'nothing',
    })
    const path = join(folder, 'own.gguf')
    await writeFile(path, bytes)
    expect(await install({ kind: 'file', path })).toMatchObject({
      comparedWith: 'nothing',
      from: 'own.gguf',
      sha256,
    })
    expect(await install({ kind: 'file', path }, { sha256 })).toMatchObject({ comparedWith: 'operator' })
    expect((await readModels(dataDir)).installed).toHaveLength(1)
  })

  it('not when a hash differs, and nothing is left', async () => {
    hub.linkedEtag = `"${'0'.repeat(64)}"`
    await expect(install({ kind: 'address', url: `${hub.url}/x.gguf` })).rejects.toThrow(/the hub says 0{64}/)
    hub.linkedEtag = null
    const asked = install({ kind: 'address', url: `${hub.url}/x.gguf` }, { sha256: 'f'.repeat(64) })
    await expect(asked).rejects.toThrow(/you said f{64}/)
    expect(await readdir(join(dataDir, 'models'))).toEqual([])
  })

  it('not when it is cut off, no model, or split', async () => {
    const path = join(folder, 'bad.gguf')
    for (const [content, problem] of [
      [bytes.subarray(0, bytes.length - 40), 'the file is incomplete'],
      [bytes.subarray(0, 900), 'it ends in its header'],
      [Buffer.from('<html>not found</html>'), 'the file is no GGUF model'],
      [Buffer.from('GG'), 'it ends in its header'],
    ] as const) {
      await writeFile(path, content)
      await expect(install({ kind: 'file', path })).rejects.toThrow(problem)
    }
    expect(await readdir(join(dataDir, 'models'))).toEqual([])
  })
})

describe('a download', () => {
  const fetch = (url = `${hub.url}/x.gguf`) =>
    downloadFile(url, part(), { onProgress: () => undefined, signal, pauseMs: 1 })

  it('goes on where it broke off', async () => {
    hub.breaks.push(30_000, 90_000)
    expect(await fetch()).toEqual({ digest: sha256 })
    expect(await readFile(part())).toEqual(bytes)
    expect(hub.ranges[0]).toBeUndefined()
    expect(hub.ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true)
  })

  it('goes on after a restart, and a complete part is not fetched again', async () => {
    const stop = new AbortController()
    const broken = downloadFile(`${hub.url}/x.gguf`, part(), {
      onProgress: () => stop.abort(new Error('stopped')),
      signal: stop.signal,
    })
    await expect(broken).rejects.toThrow()
    await fetch()
    await fetch()
    expect(await readFile(part())).toEqual(bytes)
    expect(hub.ranges.at(-1)).toBe(`bytes=${bytes.length}-`)
  })

  it('begins anew when the file is another now, or nobody knows what the part is of', async () => {
    hub.breaks.push(30_000)
    const stop = new AbortController()
    await downloadFile(`${hub.url}/x.gguf`, part(), {
      onProgress: () => stop.abort(),
      signal: stop.signal,
    }).catch(() => undefined)
    hub.etag = '"v2"'
    await fetch()
    expect(await readFile(part())).toEqual(bytes)
    await writeFile(part(), 'something')
    await fetch(`${hub.url}/other.gguf`)
    expect(await readFile(part())).toEqual(bytes)
  })

  it('ends with what the server said, and after five tries without a byte', async () => {
    await expect(fetch(`${hub.url}/missing.gguf`)).rejects.toThrow('the server answered 404')
    hub.breaks.push(0, 0, 0, 0, 0, 0)
    await expect(fetch()).rejects.toThrow('broke off 5 times')
  })
})

describe('where a model comes from', () => {
  it('a name of the catalogue needs a hub; a file of the catalogue keeps its name', async () => {
    const catalogue = readCatalogue()
    const [entry] = catalogue
    if (entry === undefined) throw new Error('the catalogue is empty')
    await expect(findSource(entry.name, catalogue, null)).rejects.toThrow('--hub')
    expect(await findSource(entry.name, catalogue, 'https://hub.example/')).toEqual({
      source: {
        kind: 'address',
        url: `https://hub.example/${entry.repository}/resolve/main/${entry.file}`,
      },
      entry,
      usualName: entry.name,
    })
    await writeFile(join(folder, entry.file), '')
    expect(await findSource(join(folder, entry.file), catalogue, null)).toMatchObject({ entry })
  })

  it('a folder must hold one model', async () => {
    const models = join(folder, 'models')
    await mkdir(models)
    await expect(findSource(models, [], null)).rejects.toThrow('holds no .gguf file')
    await writeFile(join(models, 'My Model.Q4.gguf'), '')
    expect(await findSource(models, [], null)).toMatchObject({ usualName: 'my-model.q4' })
    await writeFile(join(models, 'b.gguf'), '')
    await expect(findSource(models, [], null)).rejects.toThrow('holds several models')
    await expect(findSource(join(folder, 'nothing'), [], null)).rejects.toThrow('is no file')
  })
})

describe('the catalogue', () => {
  it('holds models of 4B to 30B under open licences, each once, with a hash exactly when confirmed', () => {
    const catalogue = readCatalogue()
    expect(catalogue.length).toBeGreaterThanOrEqual(6)
    expect(new Set(catalogue.map(({ name }) => name)).size).toBe(catalogue.length)
    for (const { sizeGb, memoryGb, contextTokens } of catalogue) {
      expect(memoryGb).toBeGreaterThan(sizeGb)
      expect(contextTokens).toBeGreaterThanOrEqual(16_384)
    }
  })
})

describe('the choice', () => {
  const measured = { readTokensPerSecond: 100, writeTokensPerSecond: 10 }
  const chosenAt = new Date(0).toISOString()

  it('is none at first, a server, or an installed model with its hash', async () => {
    expect(await readModelChoice(dataDir)).toBeNull()
    const server = {
      url: 'http://127.0.0.1:11434/v1',
      model: 'm',
      contextTokens: 32_768,
      extraBody: { a: 1 },
    }
    await changeModels(dataDir, (models) => ({
      ...models,
      inUse: { engine: 'openai', ...server, measured, chosenAt },
    }))
    expect(await readModelChoice(dataDir)).toEqual({ engine: 'openai', ...server })

    await install({ kind: 'address', url: `${hub.url}/x.gguf` })
    await changeModels(dataDir, (models) => ({
      ...models,
      inUse: {
        engine: 'local',
        model: 'tiny',
        contextTokens: 4_096,
        threads: 3,
        gpu: 'off',
        measured,
        chosenAt,
      },
    }))
    expect(await readModelChoice(dataDir)).toEqual({
      engine: 'local',
      settings: {
        runtimeFolder: join(dataDir, 'models/runtime'),
        name: 'tiny',
        file: join(dataDir, 'models/tiny.gguf'),
        sha256,
        contextTokens: 4_096,
        threads: 3,
        gpu: 'off',
      },
    })
    await expect(removeModel(dataDir, 'tiny')).rejects.toThrow('is in use')
    await changeModels(dataDir, (models) => ({ ...models, inUse: null }))
    expect(await removeModel(dataDir, 'tiny')).toBe(true)
    expect(await removeModel(dataDir, 'tiny')).toBe(false)
    expect(await readdir(join(dataDir, 'models'))).toEqual(['models.json'])
  })

  it('a damaged file is told, not taken for an empty one', async () => {
    await mkdir(join(dataDir, 'models'), { recursive: true })
    await writeFile(join(dataDir, 'models/models.json'), '{"version":1,')
    await expect(readModelChoice(dataDir)).rejects.toThrow('is damaged')
  })
})

describe('packages of the runtime', () => {
  const offered = Object.fromEntries(
    [
      'linux-arm64',
      'linux-armv7l',
      'linux-x64',
      'linux-x64-cuda',
      'linux-x64-cuda-ext',
      'linux-x64-vulkan',
      'mac-arm64-metal',
      'mac-x64',
    ].map((name) => [`@node-llama-cpp/${name}`, '3.22.1']),
  )

  it('are the ones that fit, and those of a GPU only when asked for', () => {
    const choose = (platform: NodeJS.Platform, arch: NodeJS.Architecture, gpu: 'none' | 'cuda' | 'vulkan') =>
      chooseRuntimePackages(offered, { platform, arch }, gpu)
    expect(choose('linux', 'x64', 'none')).toEqual(['@node-llama-cpp/linux-x64@3.22.1'])
    expect(choose('linux', 'arm', 'none')).toEqual(['@node-llama-cpp/linux-armv7l@3.22.1'])
    expect(choose('darwin', 'arm64', 'none')).toEqual(['@node-llama-cpp/mac-arm64-metal@3.22.1'])
    expect(choose('linux', 'x64', 'cuda')).toEqual([
      '@node-llama-cpp/linux-x64@3.22.1',
      '@node-llama-cpp/linux-x64-cuda@3.22.1',
      '@node-llama-cpp/linux-x64-cuda-ext@3.22.1',
    ])
    expect(() => choose('linux', 'arm64', 'cuda')).toThrow('has no cuda')
    expect(() => choose('freebsd', 'x64', 'none')).toThrow('there is no runtime')
  })

  it('of an earlier version says for which GPU the next is to be fetched', async () => {
    const record = { version: '1.0.0', packages: ['node-llama-cpp@1.0.0'], gpu: 'cuda', installedAt: '2026' }
    await writeFile(join(folder, 'runtime.json'), JSON.stringify(record))
    expect(await findRuntime(folder)).toBeNull()
    expect(await findRuntimeGpu(folder)).toBe('cuda')
    expect(await findRuntimeGpu(dataDir)).toBeNull()
  })
})

describe('the header of a model', () => {
  it('is refused wherever it is damaged, and never read without end', async () => {
    const path = join(folder, 'x.gguf')
    const headerLength = 12_000
    for (let place = 4; place < headerLength; place += 211) {
      const damaged = Buffer.from(bytes)
      damaged.fill(0xff, place, place + 8)
      await writeFile(path, damaged)
      await readGguf(path).catch((error: unknown) => expect(error).toHaveProperty('name', 'GgufProblem'))
    }
  })
})
