import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openOnnxSession } from '../../src/engines/onnx-session.js'
import { findMoonshineFiles, findOwnModel } from '../../src/engines/speech/model-files.js'

const options = { threads: 1, isArena: false }

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'casenote-weights-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('weights', () => {
  const { encoder, decoder } = findMoonshineFiles()
  it.each([
    ['that find speech', findOwnModel('silero-sequence')],
    ['that tell voices apart', findOwnModel('voice-x-vector')],
    ['that hear, the first half', encoder],
    ['that hear, the second half', decoder],
  ])('%s are the recorded ones', async (_which, weights) => {
    const session = await openOnnxSession(weights, options)
    await session.release()
  })

  it('of which one bit was changed are not loaded, though they are sound', async () => {
    const { file, sha256 } = findOwnModel('silero-sequence')
    const bytes = readFileSync(file)
    const middle = Math.floor(bytes.length / 2)
    bytes[middle] = (bytes[middle] ?? 0) ^ 1
    const altered = { file: join(folder, 'altered.onnx'), sha256 }
    writeFileSync(altered.file, bytes)
    await expect(openOnnxSession(altered, options)).rejects.toMatchObject({ kind: 'refused' })
    // By itself the runtime would take them.
    await (await openOnnxSession(bytes, options)).release()
  })

  it('that are not there are named', async () => {
    const missing = { file: join(folder, 'missing.onnx'), sha256: '' }
    await expect(openOnnxSession(missing, options)).rejects.toThrow('missing.onnx')
  })
})

/** What the runtime does on its own, in a process of its own with nothing in its environment that would keep it from it. */
describe('the runtime tells nobody what is run with it', () => {
  const engines = new URL('../../dist/engines/', import.meta.url)
  const run = (script: string): { pid: number; said: string } => {
    const env = { HOME: folder, PATH: process.env['PATH'] ?? '' }
    // From a file: threads take over how their process was started.
    const file = join(folder, 'run.mjs')
    const home = `const engines = ${JSON.stringify(engines.href)}`
    writeFileSync(file, `${home}\n${script}\nconsole.log(process.pid)`)
    const lines = execFileSync(process.execPath, [file], { env, encoding: 'utf8' }).trim().split('\n')
    return { pid: Number(lines.at(-1)), said: lines.slice(0, -1).join('\n') }
  }

  it.each([
    [
      'from a process',
      `const { openOnnxSession } = await import(engines + 'onnx-session.js')
      const { findOwnModel } = await import(engines + 'speech/model-files.js')
      await openOnnxSession(findOwnModel('silero-sequence'), { threads: 1, isArena: false })`,
    ],
    [
      'from a thread',
      `const { openVoiceModel } = await import(engines + 'speech/voices/index.js')
      await (await openVoiceModel()).close()`,
    ],
  ])('%s: it leaves no number and no log', (_from, script) => {
    const { pid } = run(script)
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
    expect(existsSync(`/tmp/mat-debug-${pid}.log`)).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')('from the processes of the reader: they are told so', () => {
    const { said } = run(
      `import { readFileSync } from 'node:fs'
      const { openReader } = await import(engines + 'reader/open-reader.js')
      const reader = openReader()
      const item = { startTime: 0, endTime: 1, speaker: 'client', transcript: 'I sleep well.' }
      await reader.read([item], new AbortController().signal)
      const [child] = readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim().split(' ')
      console.log(readFileSync('/proc/' + child + '/environ', 'latin1').replaceAll('\\0', '\\n'))
      await reader.close()`,
    )
    expect(said).toContain('ORT_DISABLE_TELEMETRY=1')
  })
})
