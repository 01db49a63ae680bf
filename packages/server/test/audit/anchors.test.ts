import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { anchorFile, readAnchors, writeAnchors, type Anchor } from '../../src/kernel/audit/index.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casenote-anchors-'))
})
afterEach(() => rm(folder, { recursive: true }))

const anchor = (number: number): Anchor => ({
  number,
  signature: `${number}`.repeat(64),
  at: '2026-01-02T03:04:05.678Z',
})

it('there is none before the first checkpoint', async () => {
  expect(await readAnchors(anchorFile(folder))).toBeNull()
  await writeAnchors(anchorFile(folder), new Map())
  expect(await readdir(folder)).toEqual([])
})

it('what was written is read, and only its owner may', async () => {
  const anchors = new Map([['a', anchor(1)]])
  await writeAnchors(anchorFile(folder), anchors)
  expect(await readAnchors(anchorFile(folder))).toEqual(anchors)
  expect((await stat(anchorFile(folder))).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['audit-anchors.json'])
})

it('other tenants stay, and no anchor is set back', async () => {
  const file = anchorFile(folder)
  await writeAnchors(
    file,
    new Map([
      ['a', anchor(5)],
      ['b', anchor(5)],
    ]),
  )
  await writeAnchors(
    file,
    new Map([
      ['a', anchor(6)],
      ['b', anchor(4)],
    ]),
  )
  expect(await readAnchors(file)).toEqual(
    new Map([
      ['a', anchor(6)],
      ['b', anchor(5)],
    ]),
  )
})

it.each(['', '{', '[1]', 'null', '{"a":{"number":"1","signature":"","at":""}}'])(
  'a damaged file is refused and not overwritten: %s',
  async (text) => {
    const file = anchorFile(folder)
    await writeFile(file, text)
    await expect(readAnchors(file)).rejects.toThrow('is damaged')
    await expect(writeAnchors(file, new Map([['a', anchor(1)]]))).rejects.toThrow('is damaged')
  },
)
