import type { FastifyInstance } from 'fastify'
import { makeNoteChecker } from '../engines/writer/note-checker.js'
import { makePartnerDirectory, type KnownPartner } from '../features/partners/index.js'
import { findTranscriptItems } from '../features/transcripts/index.js'
import { registerWidget } from '../features/widget/index.js'
import { mountDocs } from '../http/docs/mount-docs.js'
import { mountHealth } from '../http/health.js'
import type { PartnerApi } from '../http/partner-api.js'
import { makeHttpServer } from '../http/server.js'
import { WidgetApi } from '../http/widget-api.js'
import { ReadAudit } from '../kernel/audit/index.js'
import { Limiter } from '../kernel/limits/index.js'
import { readToken } from '../kernel/secrets/signed-tokens.js'
import { describeApi } from './describe-api.js'
import type { ServiceParts } from './parts.js'
import { registerPartnerApi } from './register-partner-api.js'

export interface Api {
  app: FastifyInstance
  /** The routes as registered, for OpenAPI and the tests that must cover every one. */
  partnerApi: PartnerApi
  close(): Promise<void>
}

/** Builds the web surfaces; nothing listens yet. `isReady` says whether the rest of the process is. */
export function makeApi(parts: ServiceParts, isReady: () => boolean): Api {
  const { config, db, clock, log, keys, watch } = parts
  const reads = new ReadAudit({ db, keys, clock, log })
  const limiter = new Limiter({ db, clock, log })
  const directory = makePartnerDirectory({ db, keys, watch })
  const checker = makeNoteChecker()
  const app = makeHttpServer({ clock, log })
  const partnerApi = registerPartnerApi({
    db,
    keys,
    clock,
    reads,
    publicUrl: config.publicUrl,
    deliveryRetentionDays: config.deliveryRetentionDays,
    findTranscriptItems: (ring, sessionId) => findTranscriptItems(db, ring, sessionId),
    checker,
  })
  partnerApi.mount(app, {
    findTenantByApiKey: (apiKey) => directory.findByApiKey(apiKey),
    readAccessToken: (tenant, token) =>
      readToken((tenant as KnownPartner).ring, 'partner', token, clock.nowMs()),
    admit: (tenant) => limiter.admit(tenant, tenant.limits),
    recordRead: (tenant, entry) => reads.record(tenant, entry),
  })
  registerWidget(new WidgetApi(app), { db, keys, clock, reads })
  mountDocs(app, describeApi(partnerApi))
  mountHealth(app, async () => isReady() && (await canReach(parts)))
  const close = async (): Promise<void> => {
    await app.close()
    await checker.close()
    await limiter.stop()
    await reads.stop()
  }
  return { app, partnerApi, close }
}

async function canReach({ db }: ServiceParts): Promise<boolean> {
  try {
    await db.throughDoor({ text: 'select 1', values: [] })
    return true
  } catch {
    return false // Not ready is the whole answer; the pool logs what broke.
  }
}
