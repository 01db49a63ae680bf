import { Option, type Command } from 'commander'
import { selectAllTenants, type TenantRow } from '../../features/partners/index.js'
import { updateInstallation } from '../../kernel/secrets/installation.sql.js'
import { rewrapTenantKeys, rotateTenantKey } from '../../kernel/secrets/make-tenant-keys.js'
import { addMasterKeyToFile, dropPreviousFromFile } from '../../kernel/secrets/master-keys.js'
import { KEY_PURPOSES, type KeyPurpose } from '../../kernel/secrets/key-purpose.js'
import type { TenantScope } from '../../kernel/tenant.js'
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
    .option('--partner <id>', 'one partner; all without it')
    .action(({ purpose, partner }: { purpose: KeyPurpose; partner?: string }) =>
      asOperator(async (session) => {
        const tenants =
          partner === undefined ? await listTenants(session) : [await getTenant(session.owner, partner)]
        for (const tenant of tenants) {
          const version = await rotateTenantKey(session.owner, session.masterKeys, tenant, purpose)
          process.stdout.write(`${tenant.tenantId}  ${purpose} key is now version ${version}\n`)
        }
      }),
    )
  keys
    .command('rewrap')
    .description('wrap every tenant key with the current master key; no data is touched')
    .action(() => asOperator(rewrapAll))
  keys
    .command('rotate-master')
    .description('for a master key in the data folder: make a new one, rewrap, forget the old one')
    .action(async () => {
      await asOperator(async ({ config }) => {
        if (config.masterKey !== null) {
          throw new Error(
            'the master key comes from CASENOTE_MASTER_KEY: set the new one there and the old one as ' +
              'CASENOTE_MASTER_KEY_PREVIOUS on every instance, restart them, then run "casenote keys rewrap"',
          )
        }
        await addMasterKeyToFile(config.dataDir)
      })
      // Anew, so that the session holds the new key first and the old one after it.
      await asOperator(async (session) => {
        await rewrapAll(session)
        await dropPreviousFromFile(session.config.dataDir)
      })
    })
}

async function rewrapAll(session: OperatorSession): Promise<void> {
  const { owner, masterKeys } = session
  let rewrapped = 0
  for (const tenant of await listTenants(session))
    rewrapped += await rewrapTenantKeys(owner, masterKeys, tenant)
  await owner.throughDoor(updateInstallation(masterKeys.currentId))
  process.stdout.write(`${rewrapped} keys are wrapped with master key ${masterKeys.currentId}\n`)
}

export async function listTenants({ owner }: OperatorSession): Promise<TenantScope[]> {
  const rows = await owner.throughDoor<TenantRow & Record<string, unknown>>(selectAllTenants())
  return rows.map(({ tenantId }) => ({ tenantId }))
}
