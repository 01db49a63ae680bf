import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '../features/clients/index.js'
import { createClinician } from '../features/clinicians/index.js'
import { provisionOrganization, provisionUnit } from '../features/organizations/index.js'
import {
  createPartner,
  newPartnerSecrets,
  selectAllTenants,
  type NewPartner,
} from '../features/partners/index.js'
import type { Config } from '../kernel/config.js'
import type { Database, Tx } from '../kernel/db/database.js'
import { operator } from '../kernel/operator.js'
import { replacePrivateFile } from '../kernel/private-file.js'
import type { MasterKeys } from '../kernel/secrets/master-keys.js'

/** What scripts find in sandbox-credentials.json. */
interface SandboxIds {
  organizationId: string
  clinicId: string
  clinicianId: string
  prescriberId: string
  clientIds: string[]
}

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
    { ...secrets, name: 'Sandbox', environment: 'sandbox' },
    async (tx) => {
      const ids = await provisionPractice(tx)
      await writeCredentials(file, { baseUrl, ...secrets, ...ids })
    },
  )
  return true
}

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

/** Invented people, each recognizable as such: example.com addresses and the telephone numbers reserved for fiction. */
async function provisionPractice(tx: Tx): Promise<SandboxIds> {
  const organizationId = await provisionOrganization(tx, 'Riverbend Behavioral Health')
  const clinicId = await provisionUnit(tx, 'clinics', { organizationId, name: 'Riverbend Downtown' })
  await provisionUnit(tx, 'clinics', { organizationId, name: 'Riverbend Lakeside' })
  await provisionUnit(tx, 'programs', { organizationId, name: 'Intensive Outpatient' })
  await provisionUnit(tx, 'programs', { organizationId, name: 'Medication Management' })
  const addClinician = (firstName: string, lastName: string, prescriber: boolean): Promise<string> =>
    createClinician(
      tx,
      {
        clinicId,
        firstName,
        lastName,
        email: `${firstName}.${lastName}@example.com`.toLowerCase(),
        externalId: null,
        prescriber,
        defaultNoteType: null,
      },
      operator,
    )
  const clinicianId = await addClinician('Mara', 'Ellison', false)
  const prescriberId = await addClinician('Tobias', 'Renner', true)
  const clientIds: string[] = []
  for (const [index, [firstName, lastName, dateOfBirth]] of people.entries()) {
    clientIds.push(
      await createClient(
        tx,
        {
          clinicianId: index % 2 === 0 ? clinicianId : prescriberId,
          firstName,
          lastName,
          dateOfBirth,
          email: `${firstName}.${lastName}@example.com`.toLowerCase(),
          phoneNumber: `+1202555010${index}`,
          externalId: `sandbox-${index + 1}`,
        },
        operator,
      ),
    )
  }
  return { organizationId, clinicId, clinicianId, prescriberId, clientIds }
}

const people = [
  ['Juniper', 'Testwell', '1991-04-12'],
  ['Caspian', 'Sampleton', '1984-09-30'],
  ['Odette', 'Mockingham', '2001-01-08'],
  ['Bartholomew', 'Fixture', '1958-12-19'],
] as const
