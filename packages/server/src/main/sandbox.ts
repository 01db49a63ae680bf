import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createPartner,
  newPartnerSecrets,
  selectAllTenants,
  type NewPartner,
} from '../features/partners/index.js'
import type { Config } from '../kernel/config.js'
import type { Database } from '../kernel/db/database.js'
import type { ClinicianId, TenantId } from '../kernel/ids.js'
import { replacePrivateFile } from '../kernel/private-file.js'
import type { MasterKeys } from '../kernel/secrets/master-keys.js'
import { provisionPractices, type SandboxIds } from './sandbox-practices.js'

export const credentialsFile = (dataDir: string): string => join(dataDir, 'sandbox-credentials.json')

/**
 * On a database without any partner: a sandbox partner to try everything with. The credentials go to the file before
 * they go to the database; a kill between the two leaves a file that the next start uses. Returns whether it did.
 */
export async function provisionSandbox(
  config: Config,
  owner: Database,
  masterKeys: MasterKeys,
): Promise<boolean> {
  const file = credentialsFile(config.dataDir)
  const baseUrl = `${config.publicUrl}/v2`
  const written = readCredentials(file)
  if ((await owner.throughDoor(selectAllTenants())).length > 0) {
    // Another port than last time: scripts read here where to call.
    if (written !== null && written.baseUrl !== baseUrl) await writeCredentials(file, { ...written, baseUrl })
    return false
  }
  await mkdir(config.dataDir, { recursive: true })
  const secrets = written === null ? newPartnerSecrets() : pickSecrets(written)
  await writeCredentials(file, { baseUrl, ...secrets })
  await createPartner(
    owner,
    masterKeys,
    { ...secrets, name: 'Sandbox', environment: 'sandbox', homeOnly: true },
    async (tx) => {
      const ids = await provisionPractices(tx)
      await writeCredentials(file, { baseUrl, ...secrets, ...ids })
    },
  )
  return true
}

/** After a reset: the credentials stay, the ids are others. Nothing for a sandbox that the file is not about. */
export async function keepSandboxIds(dataDir: string, partnerId: TenantId, ids: SandboxIds): Promise<void> {
  const file = credentialsFile(dataDir)
  const written = readCredentials(file)
  if (written?.partnerId === partnerId) await writeCredentials(file, { ...written, ...ids })
}

/** What the file holds once the sandbox is there; null: there is none. */
export interface SandboxCredentials extends NewPartner {
  clinicianId: ClinicianId
  prescriberId: ClinicianId
}

export function findSandboxCredentials(dataDir: string): SandboxCredentials | null {
  const written = readCredentials(credentialsFile(dataDir)) as SandboxCredentials | null
  // Without the ids it was written before a kill, and the sandbox was never made.
  return written?.prescriberId === undefined ? null : written
}

/** Also when a kill kept the ids from it: the partner may be there. */
export const findSandboxPartner = (dataDir: string): string | null =>
  readCredentials(credentialsFile(dataDir))?.partnerId ?? null

function readCredentials(file: string): (NewPartner & { baseUrl: string }) | null {
  if (!existsSync(file)) return null
  return JSON.parse(readFileSync(file, 'utf8')) as NewPartner & { baseUrl: string }
}

const pickSecrets = ({ partnerId, clientId, clientSecret, apiKey }: NewPartner): NewPartner => ({
  partnerId,
  clientId,
  clientSecret,
  apiKey,
})

const writeCredentials = (file: string, content: object): Promise<void> =>
  replacePrivateFile(file, `${JSON.stringify(content, null, 2)}\n`)
