import { readFile } from 'node:fs/promises'
import { isErrno } from '../../kernel/errno.js'
import type { InstallationId, MasterKeyId } from '../../kernel/ids.js'
import { ownFile } from '../../kernel/own-files.js'
import { replacePrivateFile } from '../../kernel/private-file.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import type { SealedPlace } from '../../kernel/secrets/sealing.js'
import type { BoundedFolder } from './bounded-folder.js'
import { contentsName } from './contents.js'
import { hashFile, hashOf } from './copy-file.js'

/** Raised when an older program could not restore what a newer one wrote. */
export const manifestFormat = 1

export interface Manifest {
  format: number
  product: { name: 'casenote'; version: string }
  installationId: InstallationId
  startedAt: string
  /** By the database's clock: what was acknowledged before then is in the backup. Null: by the beginning of the operator's dump. */
  dataUntil: string | null
  endedAt: string
  schemaVersion: number
  database: ClusterPart | DumpPart
  recordings: {
    /** False: they lie in an object store, and what its own tools keep is needed with this backup. */
    included: boolean
    store: 'folder' | 's3'
    parts: number
    bytes: number
    /** Parts that the store had lost before the backup. */
    missing: number
  }
  /** Values that could not be sealed for their clients, and are in it as they were. Absent: none. */
  unopened?: number
  /** All of them must be there to open what is in it. */
  masterKeyIds: MasterKeyId[]
  /** Which one opens what is in it, and how long its list was. Absent or null: there was none. */
  keyStore?: { id: string; erasures: number } | null
  contents: { files: number; bytes: number; sha256: string }
  notIncluded: string[]
}

/** `postgresql`: as `show server_version_num` gives it. */
export interface ClusterPart {
  kind: 'cluster'
  postgresql: number
  startLsn: string
  stopLsn: string
}

export interface DumpPart {
  kind: 'dump'
  postgresql: number
  madeBy: 'casenote' | 'operator'
}

export const manifestName = 'manifest.json'

/** What no backup holds, for the manifest and for whoever makes one. */
export const notIncluded = [
  'the master key (master.key or CASENOTE_MASTER_KEY): without it nothing sealed can be read. Keep a copy elsewhere',
  'the key store (key-store/ or CASENOTE_KEY_STORE): without it nothing of a client can be read. Copy it by itself, and keep the copies for days only: docs/erasure.md',
  'language models (models/) and reports of proofs (proofs/): install and prove them again',
  'the configuration (environment variables)',
] as const

export async function readProductVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(ownFile('package.json'), 'utf8')) as { version: string }
  return version
}

interface SealedManifest extends Manifest {
  seal: { masterKeyId: MasterKeyId; value: string }
}

const noTenant = '00000000-0000-0000-0000-000000000000'

export const placeInBackup = (installationId: InstallationId, column: string): SealedPlace => ({
  tenantId: noTenant,
  table: 'backup',
  row: installationId,
  column,
})

/** The last file of a backup: without it there is none. Sealed, so that what it says cannot be changed without the key. */
export async function writeManifest(
  target: BoundedFolder,
  manifest: Manifest,
  masterKeys: MasterKeys,
): Promise<void> {
  const digest = Buffer.from(hashOf(JSON.stringify(manifest)))
  const value = masterKeys.wrap(placeInBackup(manifest.installationId, 'manifest'), digest)
  const seal = { masterKeyId: masterKeys.currentId, value: value.toString('base64') }
  const { path, run } = target.at(manifestName)
  const text = `${JSON.stringify({ ...manifest, seal }, null, 2)}\n`
  await run((givenUp) => replacePrivateFile(path, text, givenUp))
}

/** A megabyte: it has no list. */
const manifestBytesMost = 1_000_000

export async function readManifest(source: BoundedFolder): Promise<SealedManifest> {
  const { path, run } = source.at(manifestName)
  let text: string
  try {
    text = await run(() => readFile(path, 'utf8'))
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    throw new Error(`${source.path} has no ${manifestName}: it is no backup, or one that was not finished`, {
      cause: error,
    })
  }
  const manifest = text.length > manifestBytesMost ? null : parse(text)
  if (manifest?.product?.name !== 'casenote' || typeof manifest.format !== 'number')
    throw new Error(`${path} is damaged`)
  if (manifest.format > manifestFormat)
    throw new Error(
      `the backup was made by Casenote ${manifest.product.version}, whose backups this one does not know: use that version`,
    )
  return manifest
}

function parse(text: string): SealedManifest | null {
  try {
    return JSON.parse(text) as SealedManifest | null
  } catch {
    return null
  }
}

/** That the manifest is the one that was sealed with this key, and the list the one that it names. */
export async function requireGenuine(
  source: BoundedFolder,
  { seal, ...manifest }: SealedManifest,
  masterKeys: MasterKeys,
): Promise<void> {
  if (!isSealed(manifest, seal, masterKeys))
    throw new Error(
      `${source.at(manifestName).path} was changed after the backup: nothing of it is to be relied on`,
    )
  const contents = await hashFile(source.at(contentsName))
  if (contents?.sha256 !== manifest.contents.sha256)
    throw new Error(`${source.at(contentsName).path} is not the list that the manifest names`)
}

function isSealed(manifest: Manifest, seal: SealedManifest['seal'], masterKeys: MasterKeys): boolean {
  try {
    const place = placeInBackup(manifest.installationId, 'manifest')
    const digest = masterKeys.unwrap(seal.masterKeyId, place, Buffer.from(seal.value, 'base64'))
    return digest.toString() === hashOf(JSON.stringify(manifest))
  } catch {
    return false
  }
}
