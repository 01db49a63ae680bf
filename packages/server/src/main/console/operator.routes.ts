import { Type } from 'typebox'
import type { OpenSession } from '../../features/console/index.js'
import {
  rotateKey,
  rotateSecret,
  selectAllTenants,
  selectAllUsage,
  type TenantRow,
  type Usage,
} from '../../features/partners/index.js'
import type { ConsoleApi } from '../../http/console-api.js'
import type { Health } from '../../http/health.js'
import { describeJobQueue, type JobCount } from '../../jobs/jobs.sql.js'
import { describeUsage } from '../../kernel/blobs/index.js'
import { describeDatabase, selectPulses } from '../../kernel/db/pulses.sql.js'
import { readOwnVersion } from '../../kernel/own-files.js'
import { refuse } from '../../kernel/refuse.js'
import { retireOlderKeys, rotateTenantKey } from '../../kernel/secrets/make-tenant-keys.js'
import { selectTenantKeys, type TenantKeyRow } from '../../kernel/secrets/tenant-keys.sql.js'
import { sourceOf, type ConsoleParts } from './console-parts.js'

/** What only an operator may: all tenants, their keys, and how the processes are. As the owner, like the command line. */
export function registerOperatorRoutes(
  api: ConsoleApi<OpenSession>,
  parts: ConsoleParts,
  health: Health,
): void {
  registerTenants(api, parts)
  registerKeys(api, parts)
  registerHealth(api, parts, health)
}

function registerTenants(api: ConsoleApi<OpenSession>, { realm }: ConsoleParts): void {
  api.route({
    operation: 'console.listTenants',
    method: 'GET',
    path: '/tenants',
    who: 'operator',
    handle: async () => {
      const rows = await realm.db.throughDoor<TenantRow & Record<string, unknown>>(selectAllTenants())
      const usage = await realm.db.throughDoor<Usage & Record<string, unknown>>(selectAllUsage())
      const storedBy = new Map(usage.map(({ tenantId, storedBytes }) => [tenantId, storedBytes]))
      const data = rows.map((row) => ({
        id: row.tenantId,
        kind: row.environment,
        isSuspended: row.suspendedAt !== null,
        createdAt: row.createdAt.toISOString(),
        storedBytes: storedBy.get(row.tenantId) ?? 0,
      }))
      return { data, next: null }
    },
  })
}

const rotated = ['api_key', 'client_secret', 'webhook_secret', 'token_key', 'data_key'] as const

function registerKeys(api: ConsoleApi<OpenSession>, parts: ConsoleParts): void {
  const { realm, keys } = parts
  api.route({
    operation: 'console.rotateKey',
    method: 'POST',
    path: '/tenants/:tenant/keys/rotate',
    who: 'operator',
    body: Type.Object({ kind: Type.String({ enum: [...rotated] }), now: Type.Optional(Type.Boolean()) }),
    handle: async (context) => {
      const { tenant, body } = context
      const { db: owner, masterKeys } = realm
      const by = await sourceOf(parts, context)
      const atOnce = body.now === true ? masterKeys : null
      if (body.kind === 'api_key') return { secret: await rotateKey(owner, tenant, atOnce, by) }
      // Webhooks are signed with the client secret: it is one.
      if (body.kind === 'client_secret' || body.kind === 'webhook_secret')
        return { secret: await rotateSecret(owner, await keys.get(tenant), atOnce, by) }
      const purpose = body.kind === 'token_key' ? 'token' : 'data'
      await rotateTenantKey(owner, masterKeys, tenant, purpose, by)
      if (purpose === 'token' && body.now === true)
        await owner.write(tenant, (tx) => retireOlderKeys(tx, 'token', by))
      // Nobody outside needs it.
      return { secret: null }
    },
  })
  api.route({
    operation: 'console.retireKey',
    method: 'POST',
    path: '/tenants/:tenant/keys/:id/retire',
    who: 'operator',
    handle: async (context) => {
      const { tenant, params } = context
      const [, purpose, digits] = /^(token|data)-key-(\d{1,9})$/.exec(params['id'] ?? '') ?? []
      const version = Number(digits)
      const rows = (await realm.db.read(tenant, selectTenantKeys(tenant))) as TenantKeyRow[]
      if (!rows.some((row) => row.purpose === purpose && row.version === version)) throw refuse.notFound()
      if (purpose === 'data')
        throw refuse.conflict(
          'key_not_retirable',
          `All that is sealed is sealed anew for that: casenote keys retire --purpose data --partner ${tenant.tenantId}`,
        )
      const by = await sourceOf(parts, context)
      await realm.db.write(tenant, async (tx) => {
        const retired = await retireOlderKeys(tx, 'token', by, version)
        // Older ones may have been retired by it: then that is undone.
        if (!retired.includes(version))
          throw refuse.conflict('key_not_retirable', 'It is retired, or the newest: rotate first')
      })
    },
  })
}

function registerHealth(
  api: ConsoleApi<OpenSession>,
  { realm, db, config }: ConsoleParts,
  health: Health,
): void {
  const version = readOwnVersion()
  api.route({
    operation: 'console.readHealth',
    method: 'GET',
    path: '/health',
    who: 'operator',
    handle: async () => {
      const pulses = await realm.db.throughDoor<{ role: string; seenAt: Date }>(selectPulses())
      const queue = await db.throughDoor<JobCount & Record<string, unknown>>(describeJobQueue())
      const [usage] = await db.throughDoor<Record<string, unknown>>(describeUsage())
      const [database] = await realm.db.throughDoor<Record<string, unknown>>(describeDatabase())
      return {
        // All of one installation are of one version: another one does not start on its schema.
        processes: pulses.map(({ role, seenAt }) => ({ role, seenAt: seenAt.toISOString(), version })),
        failing: health.findFailing(),
        engines: {
          speech: config.speech.engine,
          writer: config.writer.engine,
          reader: 'embedded',
          decoder: config.ffmpegPath === null ? 'found' : 'configured',
        },
        queue: Object.fromEntries(queue.map(({ kind, state, jobs }) => [`${kind} ${state}`, jobs])),
        database: { ...database, embedded: config.databaseUrl === null },
        blobs: { store: config.s3 === null ? 'folder' : 's3', ...usage },
      }
    },
  })
}
