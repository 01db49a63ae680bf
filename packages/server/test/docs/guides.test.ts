import { readFileSync } from 'node:fs'
import { mkdtemp, rm, chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { snippetLanguages } from '../../../docs-site/src/render/code.js'
import { listSnippets } from '../../../docs-site/src/render/render-markdown.js'
import { guidePages } from '../../../docs-site/src/pages.js'
import { freePort, startCasenote, type CasenoteProcess } from '../support/casenote-process.js'
import { lacks, recordAnswers, runSnippets, type Recorder } from './run-snippets.js'

const root = new URL('../../../../', import.meta.url)
const pages = guidePages.map(({ path, file }) => ({
  path,
  snippets: listSnippets(readFileSync(new URL(file, root), 'utf8')),
}))
const withSnippets = pages.filter(({ snippets }) => snippets.length > 0)
const connect = pages.flatMap(({ snippets }) => snippets).find(({ name }) => name === 'connect')!

/** A snippet of comments, or one that calls by the command line, has no answers of its own. */
const asksNothing = (fence: string, code: string): boolean => fence === 'sh' && !/\bcurl\b/.test(code)

describe('the snippets of the guides, against the service', { timeout: 300_000 }, () => {
  let folder: string
  let service: { process: CasenoteProcess; url: string }
  let recorder: Recorder
  let env: Record<string, string>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'casenote-docs-'))
    // Under root the database runs as another user, who must be able to walk here.
    await chmod(folder, 0o711)
    env = { CASENOTE_DATA_DIR: join(folder, '.casenote') }
    service = await startCasenote(env)
    recorder = await recordAnswers(service.url)
  })
  afterAll(async () => {
    await recorder?.close()
    await service?.process.end('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  })

  for (const { fence, label } of snippetLanguages) {
    describe.skipIf(lacks(fence))(label, () => {
      it.for(withSnippets)('$path is answered as it says', async ({ snippets }) => {
        const all = snippets.includes(connect) ? snippets : [connect, ...snippets]
        const receiverPort = String(await freePort())
        const steps = all.map(({ name, code }) => ({
          name,
          code: code[fence].replaceAll('3000', receiverPort),
        }))
        const printed = await runSnippets(fence, steps, { recorder, folder, env })
        const asking = all.filter(({ code }) => !asksNothing(fence, code[fence]))
        const answered = asking.map(({ name }) => [name, recorder.answers.get(name)])
        const expected = asking.map(({ name, statuses }) => [name, statuses])
        // What was printed says why a call was refused.
        if (!isDeepStrictEqual(answered, expected)) process.stderr.write(printed)
        expect(answered).toEqual(expected)
      })
    })
  }
})
