// Packs the SDKs for the service, which hands them out itself at /docs/sdk/: a tarball that npm installs and a wheel that
// pip installs. Run by the build, with nothing but Node.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeTgz, writeZip } from './sdk/archives.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const typescript = join(root, 'packages/sdk')
const python = join(root, 'sdk/python')

export function packSdks() {
  const folder = join(root, 'packages/server/dist/sdk')
  mkdirSync(folder, { recursive: true })
  const packed = [packTypeScript(), packPython()]
  for (const { file, content } of packed) writeFileSync(join(folder, file), content)
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
    ['package.json', Buffer.from(`${JSON.stringify(described, null, 2)}\n`)],
    ['README.md', readFileSync(join(typescript, 'README.md'))],
    ...listFiles(join(typescript, 'dist'), (name) => name.endsWith('.js') || name.endsWith('.d.ts')).map(
      ([name, content]) => [`dist/${name}`, content],
    ),
  ]
  const content = writeTgz(files.map(([name, bytes]) => [`package/${name}`, bytes]))
  return { file: `casenote-sdk-${described.version}.tgz`, content }
}

/** As the specification of wheels says: the modules, and a folder that describes them and lists every file's hash. */
function packPython() {
  const source = join(python, 'src')
  const isTaken = (name) => name.endsWith('.py') || name.endsWith('py.typed')
  const modules = listFiles(source, isTaken)
  const project = readFileSync(join(python, 'pyproject.toml'), 'utf8')
  const [, version] = /^version = "(.+)"$/m.exec(project)
  const [, requiresPython] = /^requires-python = "(.+)"$/m.exec(project)
  const [, summary] = /^description = "(.+)"$/m.exec(project)
  const metadata = [
    'Metadata-Version: 2.1',
    'Name: casenote',
    `Version: ${version}`,
    `Summary: ${summary}`,
    `Requires-Python: ${requiresPython}`,
    'Description-Content-Type: text/markdown',
    '',
    readFileSync(join(python, 'README.md'), 'utf8'),
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
