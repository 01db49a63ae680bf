// Puts the files of a release where they belong: what is loaded, what is read beside it, and what people read.
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** Of the project, as they are. */
const ownFolders = [
  'packages/server/dist/bundle',
  'packages/server/dist/sdk',
  'packages/server/fonts',
  'packages/server/instruments',
  'packages/server/migrations',
  'packages/server/models',
  'packages/server/proof',
  'packages/server/samples',
  'packages/server/templates',
  'packages/client-pages/dist',
  'packages/console/dist',
  'packages/docs-site/dist',
  'packages/widget/dist',
]
/**
 * By name and by ending: operators keep their own secrets beside these (deploy/container/secrets, deploy/kubernetes/secrets.yaml), and
 * none of those may leave with a release or an image.
 */
const deployFiles = [
  'deploy/container/Containerfile',
  'deploy/container/Containerfile.dockerignore',
  'deploy/container/compose.yaml',
  'deploy/grafana/dashboard.json',
  'deploy/kubernetes/backup.yaml',
  'deploy/kubernetes/config.yaml',
  'deploy/kubernetes/migrate.yaml',
  'deploy/kubernetes/network.yaml',
  'deploy/kubernetes/roles.yaml',
  'deploy/kubernetes/secrets.example.yaml',
  'deploy/prometheus/alerts.yaml',
  'deploy/proxies/Caddyfile',
  'deploy/proxies/haproxy.cfg',
  'deploy/proxies/nginx.conf',
  'deploy/systemd/casenote-migrate.service',
  'deploy/systemd/casenote.env',
  'deploy/systemd/casenote.service',
  'deploy/systemd/casenote@.service',
  'deploy/systemd/dispatcher.env',
  'deploy/systemd/worker.env',
]
const isGuide = (path) => /\.(?:md|png)$/.test(path) && !/(?:^|\/)(?:\.|secrets\/)/.test(path)
const ownFiles = [
  // Given to Node as text, so it is in no bundle.
  'packages/server/dist/engines/speech/audio/decoder/decoder-process.js',
  'CHANGELOG.md',
  'SECURITY.md',
]

/** Below a package, what is not for this platform or is never loaded. */
const left = [
  (path) => /\.(?:d\.[cm]?ts|[cm]?ts|map|a)$/.test(path),
  (path) => /(?:^|\/)(?:pkgconfig|test|tests|benchmarks|docs|examples|\.github)\//.test(path),
]

/** Where there are files for other platforms, or other weights, only these are taken. */
const taken = {
  'onnxruntime-node': new RegExp(
    `^(?:package\\.json|dist/|bin/napi-v6/${process.platform}/${process.arch}/|LICENSE)`,
  ),
  '@ffmpeg/core': /^(?:package\.json|dist\/umd\/)/,
  '@usefulsensors/moonshine-js': /^(?:package\.json|README\.md|dist\/model\/base\/quantized\/)/,
}

/** `commit`: what the metrics tell of it, where whoever makes the release says so. */
export function layOut(root, folder, { packages, commit }) {
  for (const path of ownFolders) {
    for (const file of listFiles(join(root, path))) copy(root, folder, join(path, file.path))
  }
  for (const path of ownFiles) copy(root, folder, path)
  layOutGuides(root, folder)
  for (const { name, folder: home } of packages) layOutPackage(root, folder, name, home)
  const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const server = JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8'))
  writeManifest(folder, {
    ...pick(project, ['name', 'version', 'private', 'description', 'license', 'type', 'engines']),
    os: [process.platform],
    cpu: [process.arch],
    bin: { casenote: 'bin/casenote.js' },
  })
  writeManifest(join(folder, 'packages/server'), {
    ...pick(server, ['name', 'version', 'private', 'type']),
    ...(commit === undefined ? {} : { commit }),
  })
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'bin/casenote.js'), launcher)
  chmodSync(join(folder, 'bin/casenote.js'), 0o755)
  writeFileSync(join(folder, 'README.md'), writeReadme(project.version))
}

export function layOutGuides(root, folder) {
  for (const path of deployFiles) copy(root, folder, path)
  for (const { path } of listFiles(join(root, 'docs'))) {
    if (isGuide(path)) copy(root, folder, join('docs', path))
  }
}

function layOutPackage(root, folder, name, home) {
  for (const { path } of listFiles(join(root, home))) {
    // Of another version, for another package: those are listed by themselves.
    if (path.startsWith('node_modules/')) continue
    if (left.some((isLeft) => isLeft(path)) || taken[name]?.test(path) === false) continue
    copy(root, folder, join(home, path))
  }
  linkLibraries(join(root, home), join(folder, home))
}

/**
 * The embedded PostgreSQL lists its symbolic links, for npm packages hold none. Made at the start otherwise, in the place where
 * the release lies, or in a copy in the data folder where that cannot be written.
 */
function linkLibraries(source, target) {
  const list = join(source, 'native/pg-symlinks.json')
  const links = lstatSync(list, { throwIfNoEntry: false }) ? JSON.parse(readFileSync(list, 'utf8')) : []
  for (const link of links) {
    const path = join(target, link.target)
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) symlinkSync(basename(link.source), path)
  }
}

/** Modes are set, not copied: they must not depend on who installed the packages. */
function copy(root, folder, path) {
  const target = join(folder, path)
  const { mode, isLink } = look(join(root, path))
  mkdirSync(dirname(target), { recursive: true })
  if (isLink) return symlinkSync(readlinkSync(join(root, path)), target)
  copyFileSync(join(root, path), target)
  chmodSync(target, mode)
}

function look(path) {
  const found = lstatSync(path)
  return { mode: found.mode & 0o100 ? 0o755 : 0o644, isLink: found.isSymbolicLink() }
}

/** Everything but folders below a folder, in the order of their names as bytes: `link` is null for a file. */
export function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((full) => {
      const { mode, isLink } = look(full)
      return { path: relative(folder, full), mode, link: isLink ? readlinkSync(full) : null }
    })
    .toSorted((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
}

const pick = (from, names) => Object.fromEntries(names.map((name) => [name, from[name]]))

function writeManifest(folder, content) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`)
}

const launcher = `#!/usr/bin/env node
import { runCommandLine } from '../packages/server/dist/bundle/main/cli.js'

await runCommandLine(process.argv)
`

const writeReadme = (version) => `# Casenote ${version} for ${process.platform} on ${process.arch}

Needs Node 20.19 or later and nothing else: no install, no compiler. Nothing is ever written in this folder.

    CASENOTE_DATA_DIR=/var/lib/casenote node bin/casenote.js start

Where the guides say \`npm run casenote -- …\`, it is \`node bin/casenote.js …\` here.

- docs/deploy.md: one machine, several machines, containers, Kubernetes, reverse proxies; deploy/ has the files.
- docs/configuration.md: every environment variable. docs/operating.md: running it.
- SHA256SUMS: check with \`sha256sum -c SHA256SUMS\`. sbom.cdx.json: what is inside, as CycloneDX.
- THIRD-PARTY-NOTICES.txt: the licences of what is inside.
`
