import { setMaxListeners } from 'node:events'
import { availableParallelism } from 'node:os'
import { homeLanguage } from '@casenote/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { makeNoteChecker } from '../engines/checker/note-checker.js'
import { openReader } from '../engines/reader/open-reader.js'
import type { Reader } from '../engines/reader/reading.js'
import { makeInstruments } from '../features/assessments/index.js'
import { readCrisisHelp, registerClientPages, type ClientPagesParts } from '../features/client-pages/index.js'
import {
  makeGuesses,
  makePartnerDirectory,
  readPartnerToken,
  selectPartnerLetIn,
} from '../features/partners/index.js'
import { takeSandboxFault } from '../features/sandbox/index.js'
import { RequestLogWriter } from '../features/request-logs/index.js'
import type { OpenSession } from '../features/console/index.js'
import { findContext } from '../features/sessions/index.js'
import { makeRecheckPlaces } from '../features/progress-notes/index.js'
import { findNamedItems, findTalk } from '../features/transcripts/index.js'
import {
  findSignedInClinician,
  mayGoOn,
  mountWidgetPages,
  registerWidget,
  selectLetIn,
} from '../features/widget/index.js'
import type { ConsoleApi } from '../http/console-api.js'
import { mountDocs } from '../http/docs/mount-docs.js'
import { mountPartnerKit } from '../http/docs/mount-partner-kit.js'
import { renderUnknownRoute } from '../http/errors.js'
import type { CallerTenant } from '../http/gateway.js'
import { mountHealth, type Health } from '../http/health.js'
import { PageApi } from '../http/page-api.js'
import { mountPageShell } from '../http/page-shell.js'
import type { PartnerApi } from '../http/partner-api.js'
import { paramsOf } from '../http/route-machine.js'
import { makeHttpServer } from '../http/server.js'
import { mountStartPage } from '../http/start-page.js'
import { readWebBundle } from '../http/web-assets.js'
import { WidgetApi } from '../http/widget-api.js'
import { ReadAudit, sealAddress } from '../kernel/audit/index.js'
import type { BlobParts } from '../kernel/blobs/index.js'
import { KeptAnswers } from '../kernel/idempotency/index.js'
import type { Clock } from '../kernel/clock.js'
import type { Database } from '../kernel/db/database.js'
import type { SessionId } from '../kernel/ids.js'
import { Limiter } from '../kernel/limits/index.js'
import type { MasterKeys } from '../kernel/secrets/master-keys.js'
import type { TenantKeyRing, TenantKeys } from '../kernel/secrets/tenant-keys.js'
import { isTracing } from '../kernel/tracing/trace.js'
import { mountConsole } from './console/mount-console.js'
import { openOperatorConsole, type OperatorConsole } from './console/operator-console.js'
import { describeApi } from './describe-api.js'
import type { DecoderParts } from './open-decoder.js'
import type { ServiceParts } from './parts.js'
import { Refusals } from './record-refusals.js'
import { registerPartnerApi } from './register-partner-api.js'
import { traceReader } from './telemetry/trace-engines.js'

/** What the API needs beyond the parts of every role. */
export interface ApiParts extends ServiceParts {
  masterKeys: MasterKeys
  blobs: BlobParts
  decoding: DecoderParts
  /** Whether a language model writes, as far as this process can tell. */
  hasModel: boolean
}

export interface Api {
  app: FastifyInstance
  /** Its routes, for the test that must cover every one. */
  widgetApi: WidgetApi
  pageApi: PageApi
  /** The routes as registered, for OpenAPI and the tests that must cover every one. */
  partnerApi: PartnerApi
  consoleApi: ConsoleApi<OpenSession>
  /** For the admin port, as the owner; whoever opens it closes it first. */
  makeOperatorConsole(owner: Database): OperatorConsole
  /** Ends what would go on for as long as a browser likes: streams of events, and uploads under way. */
  stopStreams(): void
  close(): Promise<void>
}

/** Builds the web surfaces; nothing listens yet. `health` is the whole process's. */
export function makeApi(parts: ApiParts, health: Health): Api {
  const { config, db, clock, log, keys, watch } = parts
  const reads = new ReadAudit({ db, keys, clock, log })
  const limiter = new Limiter({ db, clock, log })
  const guesses = makeGuesses({ db, watch, clock })
  const directory = makePartnerDirectory({ db, keys, watch, guesses })
  const keysFor = (address: string): TenantKeys => ({
    get: (tenant) => keys.get(tenant, (load) => guesses.guardTenant(address, tenant.tenantId, load)),
  })
  const checker = makeNoteChecker()
  const reader = openApiReader()
  const refusals = new Refusals({ reads, keysFor, clock, log })
  const { trustedProxies } = config
  const requestLog = new RequestLogWriter({ db, log })
  const app = makeHttpServer({
    clock,
    log,
    trustedProxies,
    onTurnedAway: refusals.record,
    onAnswered: (request, reply) => logAnswer(requestLog, clock, request, reply),
  })
  const instruments = makeInstruments({ db, watch, log })
  const featureParts = {
    db,
    keys,
    keysFor,
    clock,
    reads,
    publicUrl: config.publicUrl,
    widget: config.widget,
    hasModel: parts.hasModel,
    languages: [homeLanguage, ...config.speech.languages],
    instruments,
    sendsMail: config.smtp !== null,
    deliveryRetentionDays: config.deliveryRetentionDays,
    blobs: parts.blobs,
    findContext: (ring: TenantKeyRing, sessionId: SessionId) => findContext(db, ring, sessionId),
    findNamedItems: (ring: TenantKeyRing, sessionId: SessionId) => findNamedItems(db, ring, sessionId),
    findTalk: (ring: TenantKeyRing, sessionId: SessionId) => findTalk(db, ring, sessionId),
    checker,
    rechecks: makeRecheckPlaces(),
    hearDirectory: () => watch.poll(),
  }
  const partnerApi = registerPartnerApi({ ...featureParts, masterKeys: parts.masterKeys })
  partnerApi.mount(app, {
    findTenantByApiKey: (apiKey, address, onEnded) => directory.findByApiKey(apiKey, address, onEnded),
    readAccessToken: (tenant, token) => readPartnerToken(tenant, token, clock.nowMs()),
    isCurrent: (tenant, apiKey) => directory.isCurrent(tenant, apiKey),
    selectLetIn: selectPartnerLetIn,
    admit: (tenant) => limiter.admit(tenant, tenant.limits),
    takeFault: (tenant, path) => takeSandboxFault(db, tenant, path),
    recordRead: (tenant, entry) => reads.record(tenant, entry),
    sealAddress: (tenant, address) => sealAddress(tenant.ring, address),
    askLetIn: (tenant, statement) => db.read(tenant, statement),
    onTurnedAway: refusals.record,
    keptAnswers: new KeptAnswers<CallerTenant>({
      db,
      ringOf: (tenant) => tenant.ring,
      connections: config.databasePoolSize,
    }),
    clock,
    log,
  })
  const consoleParts = {
    ...featureParts,
    config,
    countNobody: refusals.countNobody,
    templates: partnerApi.templates(),
    realm: { kind: 'partner' as const, db, masterKeys: parts.masterKeys, clock },
  }
  const consoleApi = mountConsole(app, consoleParts, {
    log,
    health,
    onTurnedAway: refusals.record,
    renderUnknown: renderUnknownRoute,
  })
  const closing = new AbortController()
  // Every upload and clip under way listens; how many there are is bounded where they begin.
  setMaxListeners(0, closing.signal)
  const widgetApi = new WidgetApi(app, {
    findCaller: (accessToken, address) =>
      findSignedInClinician({ ...featureParts, keys: keysFor(address) }, accessToken),
    mayGoOn: (tenantId, callers) => mayGoOn(featureParts, tenantId, callers),
    selectLetIn: (caller) => selectLetIn(caller.tenant, caller, config.widget.lifetimeHours),
    log,
    admit: ({ tenant, clinicianId }) => limiter.admitClinician(tenant, clinicianId),
    recordRead: (tenant, entry) => reads.record(tenant, entry),
    sealAddress: async (tenant, address) => sealAddress(await keys.get(tenant), address),
  })
  const streams = registerWidget(widgetApi, {
    ...featureParts,
    log,
    reader,
    listenUrl: parts.listenUrl,
    ...parts.decoding,
    closing: closing.signal,
  })
  mountWidgetPages(app, parts)
  const pageApi = mountClientPages(app, { ...parts, reads, instruments })
  const describe = () => describeApi(partnerApi)
  mountDocs(app, { describe, publicUrl: config.publicUrl })
  mountPartnerKit(app, describe, config)
  mountHealth(app, health)
  mountStartPage(app, () => app.hasRoute({ method: 'GET', url: '/demo' }) && watch.isSandboxHome())
  const close = async (): Promise<void> => {
    closing.abort()
    await app.close()
    await widgetApi.close()
    await streams.close()
    await checker.close()
    await reader.close()
    await requestLog.stop()
    await limiter.stop()
    await refusals.stop()
    await reads.stop()
  }
  const makeOperatorConsole = (owner: Database): OperatorConsole => {
    const realm = { ...consoleParts.realm, kind: 'operator' as const, db: owner }
    return openOperatorConsole({ ...consoleParts, realm }, { log, health, onTurnedAway: refusals.record })
  }
  const stopStreams = (): void => closing.abort()
  return { app, partnerApi, widgetApi, pageApi, consoleApi, makeOperatorConsole, stopStreams, close }
}

/** For looks at what is about to be struck, which are few: it is started by the first, and its 400 MB go a minute after the last. */
function openApiReader(): Reader {
  const reader = openReader({ threads: Math.min(2, availableParallelism()), idleMs: 60_000, waitingMax: 20 })
  return isTracing() ? traceReader(reader) : reader
}

/** Calls of the Partner API whose key was good; the tenant is set nowhere else. */
function logAnswer(
  requestLog: RequestLogWriter,
  clock: Clock,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { tenant, id, routeOptions } = request
  if (tenant === null) return
  const code = reply.getHeader('casenote-error-code')
  requestLog.add({
    tenantId: tenant.tenantId,
    requestId: id,
    operation: routeOptions.config.operation ?? 'unknown',
    endedAtMs: clock.nowMs(),
    status: reply.statusCode,
    code: typeof code === 'string' ? code : null,
    elapsedMs: reply.elapsedTime,
    params: paramsOf(request),
  })
}

function mountClientPages(
  app: FastifyInstance,
  { config, clock, ...parts }: ServiceParts & Pick<ClientPagesParts, 'reads' | 'instruments'>,
): PageApi {
  mountPageShell(app, {
    paths: ['/a', '/i', '/c'],
    // Of what kind the questions are stays out of tabs and histories.
    title: 'A message from your clinic',
    bundle: readWebBundle('client-pages', 'pages'),
    data: { crisisHelp: readCrisisHelp(config.crisisHelp) },
  })
  const pageApi = new PageApi(app, clock)
  registerClientPages(pageApi, { ...parts, clock, publicUrl: config.publicUrl })
  return pageApi
}
