import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeLog } from '../../src/kernel/log.js'
import { clearStrays } from '../../src/main/clear-strays.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casenote-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('files that a kill kept from their name go after a day, and nothing else', async () => {
  const dayOld = new Date(Date.now() - 25 * 3_600_000)
  const files = [
    ['master.key.0123456789abcdef.new', dayOld],
    ['proofs/verdicts.json.0123456789abcdef.new', dayOld],
    // Somebody may be at it.
    ['audit-anchors.json.fedcba9876543210.new', new Date()],
    ['master.key', dayOld],
    ['letters.new', dayOld],
  ] as const
  await mkdir(join(folder, 'proofs'))
  for (const [name, at] of files) {
    await writeFile(join(folder, name), 'a key')
    await utimes(join(folder, name), at, at)
  }
  await clearStrays(folder, makeLog('silent', 'test'))
  expect((await readdir(folder)).toSorted()).toEqual([
    'audit-anchors.json.fedcba9876543210.new',
    'letters.new',
    'master.key',
    'proofs',
  ])
  expect(await readdir(join(folder, 'proofs'))).toEqual([])
})
