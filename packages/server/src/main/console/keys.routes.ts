import { ConsoleKeys, ConsoleRotated } from '@casenote/contract'
import { Type } from 'typebox'
import { takeConfirmation, type OpenSession } from '../../features/console/index.js'
import {
  boundRotations,
  retireOlderSecrets,
  rotateKey,
  rotateSecret,
  selectKeyStandings,
} from '../../features/partners/index.js'
import type { ConsoleApi } from '../../http/console-api.js'
import type { Tx } from '../../kernel/db/database.js'
import { isId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { addTenantKey, endTokens, retireOlderKeys } from '../../kernel/secrets/make-tenant-keys.js'
import { selectTenantKeys } from '../../kernel/secrets/tenant-keys.sql.js'
import { sourceOf, type AnyContext, type ConsoleParts } from './console-parts.js'

/** Data keys are the operator's: whoever calls the API never holds one. */
const rotatedBy = {
  partner: ['api_key', 'client_secret', 'token_key'],
  operator: ['api_key', 'client_secret', 'token_key', 'data_key'],
} as const

/** When keys were made and end, and the use cases of `casenote partner` and `casenote keys` that end them. */
export function registerKeyRoutes(api: ConsoleApi<OpenSession>, parts: ConsoleParts): void {
  registerStandings(api, parts)
  registerRotation(api, parts)
  api.route({
    operation: 'console.retireKey',
    method: 'POST',
    path: '/tenants/{tenantId}/keys/{keyId}/retire',
    who: 'user',
    needsFresh: true,
    answer: null,
    handle: (context) => retireOne(parts, context, context.params.keyId),
  })
}

function registerStandings(api: ConsoleApi<OpenSession>, { db }: ConsoleParts): void {
  api.route({
    operation: 'console.listKeys',
    method: 'GET',
    path: '/tenants/{tenantId}/keys',
    who: 'user',
    answer: ConsoleKeys,
    handle: async ({ tenant }) => {
      const rows = await db.read(tenant, selectKeyStandings(tenant))
      return {
        keys: rows.map((row) => ({
          id: row.id,
          kind: row.kind,
          createdAt: row.createdAt.toISOString(),
          endsAt: row.endsAt?.toISOString() ?? null,
          endedAt: row.endedAt?.toISOString() ?? null,
        })),
      }
    },
  })
}

function registerRotation(api: ConsoleApi<OpenSession>, parts: ConsoleParts): void {
  const { realm, keys } = parts
  const { db, masterKeys } = realm
  api.route({
    operation: 'console.rotateKey',
    method: 'POST',
    path: '/tenants/{tenantId}/keys/rotate',
    who: 'user',
    needsFresh: true,
    body: Type.Object({
      kind: Type.String({ enum: [...rotatedBy[realm.kind]] }),
      now: Type.Optional(Type.Boolean()),
    }),
    answer: ConsoleRotated,
    handle: async (context) => {
      const { tenant, body } = context
      const by = await sourceOf(parts, context)
      const atOnce = body.now === true ? masterKeys : null
      const admit = async (tx: Tx): Promise<void> => {
        await boundRotations(tx)
        await takeConfirmation(tx, context.session)
      }
      if (body.kind === 'api_key') return { secret: await rotateKey(db, tenant, atOnce, by, admit) }
      // Webhooks are signed with it, too: there is no other secret for them.
      if (body.kind === 'client_secret')
        return { secret: await rotateSecret(db, await keys.get(tenant), atOnce, by, admit) }
      await db.write(tenant, async (tx) => {
        await admit(tx)
        if (body.kind === 'data_key') await addTenantKey(tx, masterKeys, 'data', by)
        else if (body.now === true) await endTokens(tx, masterKeys, by)
        else await addTenantKey(tx, masterKeys, 'token', by)
      })
      // Nobody outside needs it.
      return { secret: null }
    },
  })
}

async function retireOne(parts: ConsoleParts, context: AnyContext, id: string): Promise<void> {
  if (isId(id)) await retireSecret(parts, context, id)
  else await retireTenantKey(parts, context, id)
}

async function retireSecret({ realm, ...parts }: ConsoleParts, context: AnyContext, id: string) {
  const { tenant } = context
  const rows = await realm.db.read(tenant, selectKeyStandings(tenant))
  if (!rows.some((row) => row.kind === 'client_secret' && row.id === id)) throw refuse.notFound()
  const by = await sourceOf(parts, context)
  await realm.db.write(tenant, async (tx) => {
    const ended = await retireOlderSecrets(tx, by)
    // Older ones may have been ended by it: then that is undone.
    if (!ended.includes(id)) throw refuse.conflict('key_not_retirable', 'It is the newest: rotate first')
    await takeConfirmation(tx, context.session)
  })
}

async function retireTenantKey({ realm, ...parts }: ConsoleParts, context: AnyContext, id: string) {
  const { tenant } = context
  const [, purpose, digits] = /^(token|data)-key-(\d{1,9})$/.exec(id) ?? []
  const version = Number(digits)
  const rows = await realm.db.read(tenant, selectTenantKeys(tenant))
  if (!rows.some((row) => row.purpose === purpose && row.version === version)) throw refuse.notFound()
  if (purpose === 'data')
    throw refuse.conflict(
      'key_not_retirable',
      realm.kind === 'partner'
        ? 'Whoever runs this service retires data keys'
        : `All that is sealed is sealed anew for that: casenote keys retire --purpose data --partner ${tenant.tenantId}`,
    )
  const by = await sourceOf(parts, context)
  await realm.db.write(tenant, async (tx) => {
    const retired = await retireOlderKeys(tx, 'token', by, version)
    // Older ones may have been retired by it: then that is undone.
    if (!retired.includes(version))
      throw refuse.conflict('key_not_retirable', 'It is retired, or the newest: rotate first')
    await takeConfirmation(tx, context.session)
  })
}
