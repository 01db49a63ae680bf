import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { requireReleasedIn } from '../../src/engines/released-libraries.js'

const path = 'node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1'
const library = Buffer.from('\x7fELF, and what follows it')
const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casenote-release-'))
  await mkdir(join(folder, path, '..'), { recursive: true })
  await writeFile(join(folder, path), library)
  await writeSums(`${sumOf(library)}  ${path}\n`)
})
afterEach(() => rm(folder, { recursive: true }))

const writeSums = (lines: string): Promise<void> =>
  writeFile(join(folder, 'SHA256SUMS'), `${sumOf(Buffer.from('x'))}  CHANGELOG.md\n${lines}`)

async function changeOneByte(): Promise<Buffer> {
  const changed = await readFile(join(folder, path))
  changed[9] = (changed[9] ?? 0) ^ 1
  await writeFile(join(folder, path), changed)
  return changed
}

it('a library of a release is opened as it was released, and not with another byte', async () => {
  await requireReleasedIn(folder)
  await changeOneByte()
  await expect(requireReleasedIn(folder)).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('libonnxruntime.so.1 is not the one of this release') as string,
  })
})

it('one that its operator built is opened once its sum is written down', async () => {
  await writeSums(`${sumOf(await changeOneByte())}  ${path}\n`)
  await requireReleasedIn(folder)
})

it('one that is gone is refused, as are sums that name none', async () => {
  await rm(join(folder, path))
  await expect(requireReleasedIn(folder)).rejects.toMatchObject({ kind: 'unavailable' })
  await writeSums('')
  await expect(requireReleasedIn(folder)).rejects.toMatchObject({ kind: 'refused' })
})

it('a checkout has no sums: npm compared what it installed', async () => {
  await rm(join(folder, 'SHA256SUMS'))
  await changeOneByte()
  await requireReleasedIn(folder)
})
