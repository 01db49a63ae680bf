import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../../kernel/errno.js'
import type { InstallationId, MasterKeyId } from '../../kernel/ids.js'
import { replacePrivateFile } from '../../kernel/private-file.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import type { BoundedFolder } from './bounded-folder.js'
import { listFiles, readListed } from './check-files.js'
import type { ContentsWriter } from './contents.js'
import { writeNewFile } from './copy-file.js'
import { placeInBackup } from './manifest.js'

/** Small files of the data folder. Those that hold secrets are sealed under the master key, which is not in the backup. */
const dataFiles = [
  { name: 'audit-anchors.json', isSecret: false },
  { name: 'postgres-passwords.json', isSecret: true },
  { name: 'sandbox-credentials.json', isSecret: true },
] as const

export const dataFileNames = dataFiles.map(({ name }) => name)

const storedAs = ({ name, isSecret }: (typeof dataFiles)[number]): string =>
  join('files', isSecret ? `${name}.sealed` : name)

/**
 * Before the database is copied: an anchor that is newer than the log beside it would say that the log was cut. The passwords are
 * those of the embedded server's logins; without its files they open nothing. A dump that the operator made is older than the
 * anchors of now (`isDumpOlder`), so these stay out. Gives the names of those that were there.
 */
export async function copyDataFiles(
  {
    dataDir,
    target,
    contents,
    isDumpOlder,
  }: { dataDir: string; target: BoundedFolder; contents: ContentsWriter; isDumpOlder: boolean },
  masterKeys: MasterKeys,
  installationId: InstallationId,
): Promise<string[]> {
  const copied: string[] = []
  const { path: files, run } = target.at('files')
  await run(() => mkdir(files, { mode: 0o700 }))
  for (const file of dataFiles) {
    if (file.name === 'audit-anchors.json' && isDumpOlder) continue
    const bytes = await readIfThere(join(dataDir, file.name))
    if (bytes === null) continue
    const path = storedAs(file)
    const place = placeInBackup(installationId, file.name)
    const stored = file.isSecret ? masterKeys.wrap(place, bytes) : bytes
    await contents.add({ kind: 'file', path, ...(await writeNewFile(target.at(path), stored)) })
    copied.push(file.name)
  }
  return copied
}

/** Only what is listed, and as it is listed. */
export async function placeDataFiles(
  { source, dataDir, isCluster }: { source: BoundedFolder; dataDir: string; isCluster: boolean },
  masterKeys: MasterKeys,
  { installationId, masterKeyId }: { installationId: InstallationId; masterKeyId: MasterKeyId },
): Promise<void> {
  for await (const listed of listFiles(source)) {
    const file = dataFiles.find((one) => storedAs(one) === listed.path)
    // Beside another server passwords would be somebody else's.
    if (file === undefined || (file.name === 'postgres-passwords.json' && !isCluster)) continue
    const stored = await readListed(source, listed)
    if (stored === null) throw new Error(`${listed.path} has changed since it was checked`)
    const place = placeInBackup(installationId, file.name)
    const bytes = file.isSecret ? masterKeys.unwrap(masterKeyId, place, stored) : stored
    await replacePrivateFile(join(dataDir, file.name), bytes.toString('utf8'))
  }
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}
