// Makes a release for the platform it runs on: a folder that starts by itself, the same as an archive, and their sums. The same
// sources, packages and Node give the same bytes. `--out FOLDER` puts it elsewhere than in `release/`; `--folder FOLDER` makes that
// folder alone, as an image wants it; `--commit ID` is what the metric casenote_build_info tells of where it came from.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildWhatIsStale } from './build.js'
import { findPackages } from './release/find-packages.js'
import { layOut, listFiles } from './release/lay-out.js'
import { describeContents, writeNotices } from './release/notices.js'
import { writeArchive } from './release/write-archive.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const sumOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

function makeFolder(folder) {
  if (existsSync(folder)) throw new Error(`${folder} is there already: remove it first`)
  mkdirSync(folder, { recursive: true })
  const packages = findPackages(root)
  layOut(root, folder, { packages: packages.beside, commit: values.commit })
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), writeNotices(root, packages))
  const sbom = describeContents(root, packages, version)
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sumUp(folder))
}

async function release(outFolder) {
  const folder = join(outFolder, `casenote-${version}-${process.platform}-${process.arch}`)
  // Ours by its name: the one before.
  rmSync(folder, { recursive: true, force: true })
  makeFolder(folder)
  const archive = `${folder}.tar.gz`
  await writeArchive(folder, archive)
  writeFileSync(join(outFolder, 'SHA256SUMS'), `${sumOf(archive)}  ${basename(archive)}\n`)
  process.stdout.write(`${archive}\n`)
}

/** As `sha256sum -c` reads them. Links are told by what they lead to. */
const sumUp = (folder) =>
  listFiles(folder)
    .filter(({ link }) => link === null)
    .map(({ path }) => `${sumOf(join(folder, path))}  ${path}\n`)
    .join('')

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'release') },
    folder: { type: 'string' },
    commit: { type: 'string' },
  },
})
buildWhatIsStale()
if (values.folder === undefined) await release(resolve(values.out))
else makeFolder(resolve(values.folder))
