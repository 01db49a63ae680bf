import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const packed = join(root, 'packages/server/dist/sdk')

const readPacked = (ending: string): Buffer => {
  const [file = '', ...others] = readdirSync(packed).filter((name) => name.endsWith(ending))
  expect(others).toEqual([])
  return readFileSync(join(packed, file))
}

/** Headers of 512 bytes, each before its content, which ends with a block. */
function listTar(tar: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; tar[at] !== 0;) {
    const read = (from: number, to: number): string =>
      tar.toString('latin1', at + from, at + to).replace(/\0.*$/s, '')
    names.push(read(0, 100))
    at += 512 + Math.ceil(Number.parseInt(read(124, 136), 8) / 512) * 512
  }
  return names
}

/** By the directory at its end. */
function listZip(zip: Buffer): string[] {
  const end = zip.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  const names: string[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ]
    names.push(zip.toString('latin1', at + 46, at + 46 + name))
    at += 46 + name + extra + comment
  }
  return names
}

it('the tarball that the service serves has the files that `npm pack` would take', () => {
  const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: join(root, 'packages/sdk'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [described] = Object.values(JSON.parse(said) as Record<string, { files: { path: string }[] }>)
  const expected = described?.files.map(({ path }) => `package/${path}`).toSorted()
  expect(listTar(gunzipSync(readPacked('.tgz'))).toSorted()).toEqual(expected)
})

it('the wheel that the service serves has the files that `pip wheel` would take', ({ skip }) => {
  const needs = 'import pip, setuptools, sys; v = int(setuptools.__version__.split(".")[0])'
  const canBuild = `${needs}\nif v < 71: import wheel\nsys.exit(v < 64)`
  skip(
    spawnSync('python3', ['-c', canBuild]).status !== 0,
    'no python3 with pip and setuptools that make wheels',
  )
  const folder = mkdtempSync(join(tmpdir(), 'casenote-wheel-'))
  try {
    // It writes beside the sources.
    cpSync(join(root, 'sdk/python'), join(folder, 'source'), { recursive: true })
    const args = ['-m', 'pip', 'wheel', '--no-deps', '--no-build-isolation', '--no-index', '-w', folder]
    execFileSync('python3', [...args, join(folder, 'source')], { stdio: 'pipe' })
    const file = readdirSync(folder).find((name) => name.endsWith('.whl')) ?? ''
    const plain = (name: string): string => name.replace(/^casenote-[^/]+\.dist-info/, 'dist-info')
    const list = (zip: Buffer): string[] => listZip(zip).map(plain).toSorted()
    // Of setuptools alone: it says what the list of files says.
    const expected = list(readFileSync(join(folder, file))).filter(
      (name) => name !== 'dist-info/top_level.txt',
    )
    expect(list(readPacked('.whl'))).toEqual(expected)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
