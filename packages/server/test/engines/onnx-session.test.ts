import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
