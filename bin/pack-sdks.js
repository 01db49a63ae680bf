// Packs the SDKs for the service, which hands them out itself at /docs/sdk/: a tarball that npm installs and a wheel that
// pip installs. Run by the build, with nothing but Node.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeTgz, writeZip } from './sdk/archives.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const typescript = join(root, 'packages/sdk')
const python = join(root, 'sdk/python')
const tsExample = 'examples/integration.ts'
const pythonExample = 'examples/integration.py'

export function packSdks() {
  const folder = join(root, 'packages/server/dist/sdk')
  // The one before has another name.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const packed = [packTypeScript(), packPython()]
  for (const { file, content } of packed) writeFileSync(join(folder, file), content)
  for (const example of [join(typescript, tsExample), join(python, pythonExample)]) {
    writeFileSync(join(folder, basename(example)), fillInVersions(readFileSync(example, 'utf8')))
  }
}

/** What the guides write for the versions, which nobody can write down: a name for each file that has it. */
export function fillInVersions(text) {
  const files = readdirSync(join(root, 'packages/server/dist/sdk'))
  const find = (ending) => files.find((file) => file.endsWith(ending))
  return text
    .replaceAll('casenote-sdk-VERSION.tgz', find('.tgz'))
    .replaceAll('casenote-VERSION-py3-none-any.whl', find('.whl'))
}

/**
 * Of everything in it, so that what an address answers never changes: lock files and caches go by that. The letter is for
 * who reads eight digits as a number.
 */
function hashOf(files) {
  const hash = createHash('sha256')
  for (const [name, bytes] of files) hash.update(`${name} ${bytes.length}\n`).update(bytes)
  return `c${hash.digest('hex').slice(0, 8)}`
}

const listFiles = (folder, isTaken) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => isTaken(name))
    .toSorted()
    .map((name) => [name, readFileSync(join(folder, name))])

function packTypeScript() {
  const { scripts: _scripts, ...described } = JSON.parse(
    readFileSync(join(typescript, 'package.json'), 'utf8'),
  )
  const files = [
    ['README.md', readFileSync(join(typescript, 'README.md'))],
    ...listFiles(join(typescript, 'dist'), (name) => name.endsWith('.js') || name.endsWith('.d.ts')).map(
      ([name, content]) => [`dist/${name}`, content],
    ),
    [tsExample, readFileSync(join(typescript, tsExample))],
  ]
  const version = `${described.version}-${hashOf(files)}`
  const manifest = { ...described, version }
  files.unshift(['package.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)])
  const content = writeTgz(files.map(([name, bytes]) => [`package/${name}`, bytes]))
  return { file: `casenote-sdk-${version}.tgz`, content }
}

/** As the specification of wheels says: the modules, and a folder that describes them and lists every file's hash. */
function packPython() {
  const source = join(python, 'src')
  const isTaken = (name) => name.endsWith('.py') || name.endsWith('py.typed')
  const modules = listFiles(source, isTaken)
  const project = readFileSync(join(python, 'pyproject.toml'), 'utf8')
  const [, release] = /^version = "(.+)"$/m.exec(project)
  const [, requiresPython] = /^requires-python = "(.+)"$/m.exec(project)
  const [, summary] = /^description = "(.+)"$/m.exec(project)
  const readme = readFileSync(join(python, 'README.md'), 'utf8')
  const version = `${release}+${hashOf([...modules, ['README.md', Buffer.from(readme)]])}`
  const metadata = [
    'Metadata-Version: 2.1',
    'Name: casenote',
    `Version: ${version}`,
    `Summary: ${summary}`,
    `Requires-Python: ${requiresPython}`,
    'Description-Content-Type: text/markdown',
    '',
    readme,
  ].join('\n')
  const info = `casenote-${version}.dist-info`
  const tag = 'Wheel-Version: 1.0\nGenerator: casenote\nRoot-Is-Purelib: true\nTag: py3-none-any\n'
  const files = [...modules, [`${info}/METADATA`, Buffer.from(metadata)], [`${info}/WHEEL`, Buffer.from(tag)]]
  const record = files.map(([name, bytes]) => {
    const hash = createHash('sha256').update(bytes).digest('base64url')
    return `${name},sha256=${hash},${bytes.length}\n`
  })
  files.push([`${info}/RECORD`, Buffer.from(`${record.join('')}${info}/RECORD,,\n`)])
  return { file: `casenote-${version}-py3-none-any.whl`, content: writeZip(files) }
}
