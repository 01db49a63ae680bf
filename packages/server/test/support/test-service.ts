import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { builtInTemplate } from '../../src/engines/writer/templates/built-in-templates.js'
import { administerAssessments } from '../../src/features/assessments/administer-assessments.js'
import { completeAssessments, makeBuiltInCatalogue } from '../../src/features/assessments/index.js'
import { failExport, insertExport } from '../../src/features/client-exports/client-exports.sql.js'
import { createClient } from '../../src/features/clients/index.js'
import { insertErasure, refuseErasure } from '../../src/features/erasure/erasure.sql.js'
import { createClinician } from '../../src/features/clinicians/index.js'
import { provisionOrganization, provisionUnit } from '../../src/features/organizations/index.js'
import { createPartner, newPartnerSecrets, type NewPartner } from '../../src/features/partners/index.js'
import { addTemplate } from '../../src/features/templates/index.js'
import { insertWord } from '../../src/features/consents/consents.sql.js'
import { createPlan } from '../../src/features/treatment-plans/index.js'
import { createWebhookEndpoint } from '../../src/features/webhooks/change-endpoints.js'
import { testEndpoint } from '../../src/features/webhooks/queue-deliveries.js'
import { makeFolderStore, type BlobParts } from '../../src/kernel/blobs/index.js'
import { systemClock, type Clock } from '../../src/kernel/clock.js'
import { readConfig } from '../../src/kernel/config.js'
import { Database } from '../../src/kernel/db/database.js'
import { DirectoryWatch } from '../../src/kernel/directory-cache.js'
import { newId } from '../../src/kernel/ids.js'
import { makeLog, type Log } from '../../src/kernel/log.js'
import { operator } from '../../src/kernel/operator.js'
import { insertInstallation } from '../../src/kernel/secrets/installation.sql.js'
import { MasterKeys } from '../../src/kernel/secrets/master-keys.js'
import { makeTenantKeys, readTenantKeys, type TenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import type { Environment } from '../../src/kernel/tenant.js'
import { makeApi, type Api } from '../../src/main/api.js'
import { openConfiguredDecoder } from '../../src/main/open-decoder.js'
import { keepTellingSandbox, tellSandbox } from '../../src/main/sandbox-home.js'
import { makeFixtureRecord } from './clinical-record.js'
import { makeTestDatabase, type TestDatabase } from './test-database.js'

export interface TestPartner extends Omit<NewPartner, 'clientId'> {
  /** What the credentials call `clientId`: here that is a client's. */
  credentialId: string
  environment: Environment
  organizationId: string
  clinicId: string
  programId: string
  clinicianId: string
  /** The clinician's client. */
  clientId: string
  /** Of that client, with a transcript, a generated note and a summary. */
  sessionId: string
  progressNoteId: string
  summaryId: string
  scoreId: string
  /** A draft of that client. */
  treatmentPlanId: string
  /** Of somebody else in the room, so that it allows nothing. */
  consentId: string
  /** Outstanding. */
  assignmentId: string
  /** Failed: neither a job nor a file stands behind it. */
  clientExportId: string
  /** Refused: nobody is at it. */
  erasureId: string
  endpointId: string
  deliveryId: string
  templateId: string
  accessToken: string
  /** Both headers. */
  headers: { 'x-api-key': string; 'access-token': string }
}

export interface TestService {
  database: TestDatabase
  db: Database
  owner: Database
  masterKeys: MasterKeys
  /** As a rotation puts a new key before the old one. */
  addMasterKey(): Promise<void>
  watch: DirectoryWatch
  keys: TenantKeys
  blobs: BlobParts
  api: Api
  call(options: InjectOptions): Promise<LightMyRequestResponse>
  /** For a process of the program on the same database and key: its address, and a data folder. */
  settingsFor(dataDir: string): Record<string, string>
  /** As the partner's backend does: `path` is what comes behind `/v2`. */
  ask(
    by: Pick<TestPartner, 'headers'>,
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    payload?: object,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>
  addPartner(environment?: Environment): Promise<TestPartner>
  /** Another API process on the same database. */
  makePeer(): Promise<{ api: Api; watch: DirectoryWatch; close(): Promise<void> }>
  close(): Promise<void>
}

/** The real API on a real database, without a socket: requests are injected. */
export async function makeTestService(
  options: {
    clock?: Clock
    log?: Log
    masterKey?: Buffer
    database?: TestDatabase
    env?: Record<string, string>
    /** Of the process whose recordings are shared; else one of its own. */
    blobFolder?: string
  } = {},
): Promise<TestService> {
  const { clock = systemClock, log = makeLog('silent', 'test'), masterKey = randomBytes(32) } = options
  const database = options.database ?? (await makeTestDatabase())
  const open = (url: string): Database =>
    new Database({ url, poolSize: 10, applicationName: 'test', onConnectionError: () => {} })
  const db = open(database.databaseUrl)
  const owner = open(database.migrateUrl)
  let masterKeySource = [masterKey]
  const masterKeys = new MasterKeys(() => masterKeySource)
  await owner.throughDoor(insertInstallation(masterKeys.currentId))
  const decoderFolder = await mkdtemp(join(tmpdir(), 'casenote-decoder-'))
  const decoding = await openConfiguredDecoder({
    ...readConfig({ PATH: process.env.PATH }),
    dataDir: decoderFolder,
  })
  const blobFolder = options.blobFolder ?? (await mkdtemp(join(tmpdir(), 'casenote-blobs-')))
  const blobs = { store: makeFolderStore(blobFolder, 'installation'), keepDays: 365, endedDays: 7 }
  const start = async (on: Database) => {
    const config = readConfig(options.env ?? {})
    await tellSandbox({ config, db: on, log })
    const watch = new DirectoryWatch(on, log)
    await watch.start()
    keepTellingSandbox(watch, { config, db: on, log })
    const keys = makeTenantKeys(on, masterKeys, watch)
    const api = makeApi(
      {
        config,
        log,
        clock,
        db: on,
        watch,
        keys,
        masterKeys,
        close: async () => {},
        listenUrl: database.databaseUrl,
        decoding,
        hasModel: false,
        blobs: { ...blobs, db: on, keys },
      },
      { findFailing: () => [] },
    )
    return { watch, keys, api }
  }
  const { watch, keys, api } = await start(db)
  return {
    database,
    db,
    owner,
    masterKeys,
    addMasterKey: async () => {
      masterKeySource = [randomBytes(32), ...masterKeySource]
      await masterKeys.refresh()
    },
    watch,
    keys,
    blobs: { ...blobs, db, keys },
    api,
    call: (request) => api.app.inject(request),
    settingsFor: (dataDir) => ({
      DATABASE_URL: database.databaseUrl,
      CASENOTE_DATA_DIR: dataDir,
      CASENOTE_MASTER_KEY: masterKey.toString('base64'),
    }),
    ask: (by, method, path, payload, more = {}) =>
      api.app.inject({
        method,
        url: `/v2${path}`,
        headers: { ...by.headers, ...more },
        ...(payload === undefined ? {} : { payload }),
      }),
    addPartner: (environment = 'sandbox') => addPartner({ db, owner, masterKeys, api }, environment),
    makePeer: async () => {
      const peerDb = open(database.databaseUrl)
      const peer = await start(peerDb)
      const close = async (): Promise<void> => {
        await peer.api.close()
        await peer.watch.stop()
        await peerDb.end()
      }
      return { ...peer, close }
    },
    close: async () => {
      await api.close()
      await watch.stop()
      await db.end()
      await owner.end()
      await database.drop()
      for (const folder of [blobFolder, decoderFolder]) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function addPartner(
  parts: Pick<TestService, 'db' | 'owner' | 'masterKeys' | 'api'>,
  environment: Environment,
): Promise<TestPartner> {
  const { db, owner, masterKeys, api } = parts
  const secrets = newPartnerSecrets()
  const ids = { organizationId: '', clinicId: '', programId: '', clinicianId: '', clientId: '' }
  await createPartner(owner, masterKeys, { ...secrets, name: 'Test partner', environment }, async (tx) => {
    ids.organizationId = await provisionOrganization(tx, 'Organization')
    ids.clinicId = await provisionUnit(tx, 'clinics', { ...ids, name: 'Clinic' })
    ids.programId = await provisionUnit(tx, 'programs', { ...ids, name: 'Program' })
    ids.clinicianId = await createClinician(
      tx,
      {
        clinicId: ids.clinicId,
        firstName: 'Ada',
        lastName: 'Example',
        email: 'ada@example.com',
        externalId: null,
        prescriber: false,
        defaultNoteType: null,
      },
      operator,
    )
    const contact = { email: 'sam@example.com', phoneNumber: '+12025550100', externalId: null }
    const named = { firstName: 'Sam', lastName: 'Sample', dateOfBirth: '1990-01-31' }
    ids.clientId = await createClient(tx, { ...named, ...contact, clinicianId: ids.clinicianId }, operator)
  })
  const record = await makeFixtureRecord(
    { db, owner, masterKeys },
    { tenantId: secrets.partnerId, clientId: ids.clientId },
  )
  const answer = await api.app.inject({
    method: 'POST',
    url: '/v2/partners/authenticate',
    headers: { 'x-api-key': secrets.apiKey },
    payload: { clientId: secrets.clientId, clientSecret: secrets.clientSecret },
  })
  const { accessToken } = answer.json<{ accessToken: string }>()
  const headers = { 'x-api-key': secrets.apiKey, 'access-token': accessToken }
  return {
    ...secrets,
    credentialId: secrets.clientId,
    ...ids,
    ...record,
    ...(await addRecords(parts, secrets.partnerId, ids.clientId)),
    environment,
    accessToken,
    headers,
  }
}

/** A score and a delivery of its event. Not through the API: some tests count the calls of a partner. */
async function addRecords(
  { owner, masterKeys }: Pick<TestService, 'owner' | 'masterKeys'>,
  tenantId: string,
  clientId: string,
): Promise<
  Pick<
    TestPartner,
    | 'scoreId'
    | 'treatmentPlanId'
    | 'consentId'
    | 'assignmentId'
    | 'clientExportId'
    | 'erasureId'
    | 'endpointId'
    | 'deliveryId'
    | 'templateId'
  >
> {
  const ring = await readTenantKeys(owner, masterKeys, { tenantId })
  const publicUrl = 'http://localhost'
  return owner.write({ tenantId }, async (tx) => {
    const catalogue = makeBuiltInCatalogue()
    const administration = { catalogue, clientId, assessmentIds: ['gad2', 'phq2'], publicUrl }
    const { assignments } = await administerAssessments(tx, administration, operator)
    const result = {
      assignmentId: assignments[0]?.id ?? '',
      answers: [
        { questionKey: 'gad2_1', answerValue: 2 },
        { questionKey: 'gad2_2', answerValue: 1 },
      ],
    }
    const completion = { clientId, results: [result], publicUrl, nowMs: Date.now() }
    const [score] = await completeAssessments(tx, { ring, catalogue }, completion, operator)
    const exportId = newId()
    await tx.run(insertExport({ tenantId }, exportId, clientId))
    await tx.run(failExport({ tenantId }, exportId))
    const erasureId = newId()
    const erased = { kind: 'transcript', subjectId: newId(), clientId: newId() } as const
    const asked = { erasureId, ...erased, askedBy: 'operator', withSignedNotes: false } as const
    await tx.run(insertErasure({ tenantId }, asked))
    await tx.run(refuseErasure({ tenantId }, erasureId))
    const endpoint = await createWebhookEndpoint(tx, { url: 'https://hooks.acme.org/first' }, operator)
    const test = { endpointId: endpoint.id, eventType: 'assessment_completed' }
    const delivery = await testEndpoint(tx, test, operator)
    const context = { ring, publicUrl, nowMs: Date.now(), ...operator }
    const given = { goals: [{ text: 'Sleep through at least five nights a week' }] }
    const { planId: treatmentPlanId } = await createPlan(tx, context, { clientId, given })
    const consentId = newId()
    // Without its event: tests count them.
    await tx.run(
      insertWord(
        { tenantId },
        {
          consentId,
          clientId,
          relation: 'participant',
          method: 'by_word',
          textVersion: 'casenote-1',
          textId: null,
          language: 'en',
          sealedPerson: null,
          saidTo: 'partner',
          clinicianId: null,
          isGiven: true,
          withdraws: null,
        },
      ),
    )
    const templateId = `t${randomUUID().slice(1)}`
    const place = { clinicId: null, clinicianId: null, isDefault: false }
    await addTemplate(tx, operator, { ...builtInTemplate('dap'), id: templateId }, place)
    return {
      treatmentPlanId,
      consentId,
      scoreId: score?.id ?? '',
      assignmentId: assignments[1]?.id ?? '',
      clientExportId: exportId,
      erasureId,
      endpointId: endpoint.id,
      deliveryId: delivery.id,
      templateId,
    }
  })
}
