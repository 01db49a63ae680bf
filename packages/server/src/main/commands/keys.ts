import { Option, type Command } from 'commander'
import { rewrapConsoleUsers } from '../../features/console/index.js'
import { selectAllTenants } from '../../features/partners/index.js'
import { makeBlobStore } from '../../kernel/blobs/index.js'
import { readDatabaseClock } from '../../kernel/read-database-clock.js'
import { selectInstallation, updateInstallation } from '../../kernel/secrets/installation.sql.js'
import { retireOlderKeys, rewrapTenantKeys, rotateTenantKey } from '../../kernel/secrets/make-tenant-keys.js'
import { addMasterKeyToFile, dropUnneededFromFile } from '../../kernel/secrets/master-keys.js'
import { KEY_PURPOSES, type KeyPurpose } from '../../kernel/secrets/key-purpose.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { listNeededKeys } from '../master-key-source.js'
import { retireDataKeys, type RetiredDataKeys } from '../keys/retire-keys.js'
import { asOperator, type OperatorSession } from './operator-session.js'
import { getTenant } from './partner.js'

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('encryption and signing keys')
  keys
    .command('rotate')
    .description('a new key version; what older versions sealed or signed stays good')
    .addOption(
      new Option('--purpose <purpose>', 'data: encryption; token: signing of tokens; audit: the audit chains')
        .choices(KEY_PURPOSES)
        .makeOptionMandatory(),
    )
    .option(...partnerOption)
    .action(({ purpose, partner }: { purpose: KeyPurpose; partner?: string }) =>
      asOperator(async (session) => {
        for (const tenant of await chooseTenants(session, partner)) {
          const version = await rotateTenantKey(session.owner, session.masterKeys, tenant, purpose)
          process.stdout.write(`${tenant.tenantId}  ${purpose} key is now version ${version}\n`)
        }
      }),
    )
  keys
    .command('retire')
    .description(
      'end all key versions but the newest. token: what they signed is refused within 5 s; data: what they sealed is sealed anew',
    )
    .addOption(
      new Option('--purpose <purpose>', 'token, for example after a theft; or data')
        .choices(['token', 'data'])
        .makeOptionMandatory(),
    )
    .option(...partnerOption)
    .action(({ purpose, partner }: { purpose: 'token' | 'data'; partner?: string }) =>
      asOperator(
        async (session) => {
          for (const tenant of await chooseTenants(session, partner)) {
            const said = await (purpose === 'token' ? retireTokens : retireData)(session, tenant)
            process.stdout.write(`${tenant.tenantId}  ${said}\n`)
          }
        },
        { isUnhurried: true },
      ),
    )
  keys
    .command('rewrap')
    .description('wrap every tenant key with the current master key; no data is touched')
    .action(() =>
      asOperator(async (session) => {
        await rewrapAll(session)
        tellOfCopies(session)
      }),
    )
  keys
    .command('rotate-master')
    .description('for a master key in the data folder: make a new one, rewrap, forget the old one')
    .action(async () => {
      await asOperator(async ({ config }) => {
        if (config.masterKey.from !== 'data folder') throw new Error(rotateYourself[config.masterKey.from])
        await addMasterKeyToFile(config.dataDir)
      })
      // Anew, so that the session holds the new key first and the old one after it.
      await asOperator(async (session) => {
        const needed = await rewrapUntilAllAre(session)
        const { config, masterKeys } = session
        await dropUnneededFromFile(config.dataDir, masterKeys.currentId, needed)
        if (needed.some((id) => id !== masterKeys.currentId))
          throw new Error(
            'something is still being wrapped with the old master key, which is kept: ask again',
          )
        tellOfCopies(session)
      })
    })
}

const thenRewrap =
  'No restart is needed: when every process has logged "the master key is another one now", run "casenote keys rewrap"'

/** Keys that the operator keeps are the operator's to make. */
const rotateYourself = {
  environment:
    'the master key comes from CASENOTE_MASTER_KEY: set the new one there and the old one as ' +
    'CASENOTE_MASTER_KEY_PREVIOUS on every instance, restart them, then run "casenote keys rewrap"',
  files:
    'the master key comes from CASENOTE_MASTER_KEY_FILE: put the new one on a line before the old one. ' +
    thenRewrap,
  command:
    'the master key comes from CASENOTE_MASTER_KEY_COMMAND: let it print the new one on a line before the old one. ' +
    thenRewrap,
}

const partnerOption = ['--partner <id>', 'one partner; all without it'] as const

const chooseTenants = async (
  session: OperatorSession,
  partner: string | undefined,
): Promise<TenantScope[]> =>
  partner === undefined ? listTenants(session) : [await getTenant(session.owner, partner)]

const list = (versions: readonly number[]): string => versions.map((version) => `v${version}`).join(', ')

const nothingOlder = 'there is no older key; make a newer one first with "casenote keys rotate"'

async function retireTokens({ owner }: OperatorSession, tenant: TenantScope): Promise<string> {
  const versions = await owner.write(tenant, (tx) => retireOlderKeys(tx, 'token'))
  return versions.length === 0 ? nothingOlder : `token keys retired: ${list(versions)}`
}

async function retireData(session: OperatorSession, tenant: TenantScope): Promise<string> {
  const { owner: db, masterKeys, config } = session
  const [installation] = await db.throughDoor(selectInstallation())
  if (installation === undefined) throw new Error('the database has no installation')
  const store = makeBlobStore(config, installation.installationId, await readDatabaseClock(db))
  let retired: RetiredDataKeys | null
  try {
    await store.check()
    retired = await retireDataKeys({ db, store, masterKeys }, tenant)
  } finally {
    await store.close()
  }
  if (retired === null)
    return 'the newest key is seconds old, and an older one may be in use; ask again in ten seconds'
  const { versions, values, parts, deleted } = retired
  if (versions.length + values + parts + deleted.length === 0) return nothingOlder
  const gone = deleted.length === 0 ? '' : `; deleted: ${list(deleted)}`
  return `${values} values and ${parts} parts of recordings sealed anew; retired: ${list(versions) || 'none'}${gone}`
}

/** A copy is signed under the master key of its day. */
function tellOfCopies({ masterKeys }: OperatorSession): void {
  if (masterKeys.clientKeys !== null)
    process.stdout.write(
      'Take a copy of the key store now ("casenote key-store copy"): older ones no longer open without the old master key\n',
    )
}

async function rewrapAll(session: OperatorSession): Promise<void> {
  const { owner, masterKeys } = session
  let rewrapped = 0
  for (const tenant of await listTenants(session))
    rewrapped += await rewrapTenantKeys(owner, masterKeys, tenant)
  rewrapped += await rewrapConsoleUsers(owner, masterKeys)
  await masterKeys.clientKeys?.signAnew(owner)
  await owner.throughDoor(updateInstallation(masterKeys.currentId))
  process.stdout.write(`${rewrapped} keys are wrapped with master key ${masterKeys.currentId}\n`)
}

/** A service may have wrapped something with the old key meanwhile. It hears of the new one within seconds. */
const rewrapsMax = 5

/** Gives what something is wrapped with in the end. */
async function rewrapUntilAllAre(session: OperatorSession): Promise<string[]> {
  let needed: string[] = []
  for (let count = 0; count < rewrapsMax; count++) {
    await rewrapAll(session)
    needed = await listNeededKeys(session.owner)
    if (needed.every((id) => id === session.masterKeys.currentId)) break
  }
  return needed
}

export async function listTenants({ owner }: OperatorSession): Promise<TenantScope[]> {
  const rows = await owner.throughDoor(selectAllTenants())
  return rows.map(({ tenantId }) => ({ tenantId }))
}
