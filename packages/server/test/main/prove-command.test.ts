import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changeModels, readModels } from '../../src/engines/models/local/model-store.js'
import type { KeptProof } from '../../src/main/proof/kept-proofs.js'
import { OpenAiTestServer } from '../engines/openai-server.js'
import { writeAsModel } from '../engines/scripted-models.js'
import { makeDataFolder, runCasenote } from '../support/casenote-process.js'
import { makeTinyGguf } from '../support/tiny-gguf.js'

let folder: { path: string; remove(): Promise<void> }
let env: Record<string, string>
let server: OpenAiTestServer
let url: string

beforeEach(async () => {
  folder = await makeDataFolder()
  env = { CASENOTE_DATA_DIR: folder.path }
  server = new OpenAiTestServer({ apiKey: 'sk-w', writeAsModel, transcribe: () => ({}) })
  server.models = ['small', 'large']
  url = await server.start()
})
afterEach(async () => {
  await server.close()
  await folder.remove()
})

const withServer = (apiKey = 'sk-w') => ({
  ...env,
  CASENOTE_WRITER_ENGINE: 'openai',
  CASENOTE_WRITER_URL: url,
  CASENOTE_WRITER_MODEL: 'large',
  CASENOTE_WRITER_API_KEY: apiKey,
})

const verdictsFile = () => join(folder.path, 'proofs/verdicts.json')

async function readVerdicts(): Promise<KeptProof[]> {
  const text = await readFile(verdictsFile(), 'utf8').catch(() => '{"proofs":[]}')
  return (JSON.parse(text) as { proofs: KeptProof[] }).proofs
}

describe('casenote prove', () => {
  it('proves the writer in use, shows how far it is, and keeps page and verdict', async () => {
    const { code, stdout, stderr } = await runCasenote(['prove'], env)
    expect([code, stdout]).toEqual([0, expect.stringContaining('Verdict: **passed**')])
    expect(stderr).toMatch(/^ {2}1 of 7: active-si-crisis 0%$/m)
    expect(stderr).toMatch(/^ {2}7 of 7: .* 85%$/m)
    expect(stderr).toMatch(/^ {2}done 100%$/m)
    expect(stdout).toContain('| refused before repair | refused after repair |')
    const [verdict, ...others] = await readVerdicts()
    expect(others).toEqual([])
    expect(verdict).toMatchObject({
      engine: 'extract',
      model: 'none',
      sha256: null,
      isPassed: true,
      problems: [],
      figures: { sessions: 7, refusedBeforeRepair: 0, refusedAfterRepair: 0 },
    })
    expect(verdict?.figures.dangerTold).toBe(verdict?.figures.danger)
    const kept = (await readdir(join(folder.path, 'proofs'))).map((name) => name.replace(/^\d.*\./, '*.'))
    expect(kept.toSorted()).toEqual(['*.html', '*.md', 'verdicts.json'])
  })

  it('proves another model of the server by its name, and tells what is below the gate', async () => {
    const { code, stdout } = await runCasenote(['prove', '--model', 'small'], withServer())
    expect(new Set(server.chats.map(({ model }) => model))).toEqual(new Set(['small']))
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/Verdict: \*\*not passed\*\*\. .*% of the facts/),
    ])
    const [verdict] = await readVerdicts()
    expect(verdict).toMatchObject({ engine: 'openai', model: 'small', url: `${url}/v1`, isPassed: false })
    expect(verdict?.problems.join(' ')).toContain('% of the facts are written')
    expect((await readModels(folder.path)).inUse).toBeNull()
    // The figures, and nothing of what the sessions say.
    expect(await readFile(verdictsFile(), 'utf8')).not.toMatch(/killing|sertraline|Client/)
  })

  it('refuses a name that there is not, with those that there are', async () => {
    const nowhere = await runCasenote(['prove', '--model', 'huge'], env)
    expect([nowhere.code, nowhere.stderr]).toEqual([
      1,
      expect.stringContaining('there is no model huge: none is installed'),
    ])
    const { code, stderr } = await runCasenote(['prove', '--model', 'huge'], withServer())
    expect([code, stderr]).toEqual([1, 'casenote: there is no model huge; there are small, large\n'])
    expect(server.chats).toEqual([])
    expect(await readVerdicts()).toEqual([])
  })

  it('says what failed, without a word of a session, and keeps no verdict', async () => {
    const { code, stdout, stderr } = await runCasenote(['prove'], withServer('sk-wrong'))
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^casenote: .*401/m)])
    expect(stderr).not.toMatch(/killing|sk-wrong/)
    expect(await readVerdicts()).toEqual([])
  })

  it('proves an installed model by its name, never one whose file has changed', async () => {
    await mkdir(join(folder.path, 'models'), { recursive: true })
    await writeFile(join(folder.path, 'models/tiny.gguf'), makeTinyGguf({ contextTokens: 8_192 }))
    await changeModels(folder.path, (models) => ({
      ...models,
      installed: [
        {
          name: 'tiny',
          file: 'tiny.gguf',
          sizeBytes: makeTinyGguf({ contextTokens: 8_192 }).length,
          sha256: 'a'.repeat(64),
          comparedWith: 'nothing',
          from: 'a test',
          licence: null,
          contextTokens: 8_192,
          parameters: 1,
          installedAt: '2026-01-01T00:00:00.000Z',
        },
      ],
    }))
    const { code, stderr } = await runCasenote(['prove', '--model', 'tiny'], env)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/hash/)])
    const unknown = await runCasenote(['prove', '--model', 'tinny'], env)
    expect(unknown.stderr).toBe('casenote: there is no model tinny; there are tiny\n')
    expect((await readModels(folder.path)).inUse).toBeNull()
    expect(await readVerdicts()).toEqual([])
  })
})
