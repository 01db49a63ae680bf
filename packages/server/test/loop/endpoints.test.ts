import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import {
  pageSizeHeader,
  pageSizeMax,
  sessionTextLengthMax,
  type Consent,
  type CorrectedClient,
} from '@casenote/contract'
import type { TObject } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addText } from '../../src/features/consents/index.js'
import { failGeneration, findNoteOfSession } from '../../src/features/progress-notes/index.js'
import { operator } from '../../src/kernel/operator.js'
import { answerAll, makePagesFixture, type PagesFixture } from '../client-pages/pages-fixture.js'
import { asPipeline } from '../support/clinical-record.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { findDelayMs, loopDelayMaxMs } from '../support/watch-loop.js'
import {
  creationHeaders,
  giveConsent,
  openRecording,
  patchHeaders,
  signIn,
} from '../widget/widget-fixture.js'
import { makeWrittenSession } from '../widget/written-session.js'
import { openHttpCaller, share, type HttpCaller } from './http-caller.js'
import { listBodies, listQueries } from './largest-bodies.js'
import { largestPlan, largestTemplate, largestTemplateId } from './largest-plans.js'
import { largestSections, makeLargestRecord, type LargestRecord } from './largest-record.js'

/**
 * Every route as it is registered, with the largest body and query that it takes and the largest record that it can be asked
 * for: one that is added is asked here, too.
 */
interface Route {
  operation: string
  method: string
  path: string
  surface: 'partner' | 'widget' | 'pages'
  query: TObject | null
  body: TObject | null
}

let service: TestService
let partner: TestPartner
let largest: LargestRecord
let pages: PagesFixture
let caller: HttpCaller
let origin: string

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  largest = await makeLargestRecord(service, partner)
  const words = { language: 'en', version: consentVersion, body: 'We record. '.repeat(1_800) } as const
  await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
    addText(tx, operator, { organizationId: null, ...words }),
  )
  pages = makePagesFixture(service, partner)
  caller = await openHttpCaller()
  await service.api.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(service.api.app.server.address() as AddressInfo).port}`
}, 300_000)
afterAll(async () => {
  await caller.close()
  await service.close()
})

const consentVersion = 'largest'

const prefixes = { partner: '/v2', widget: '/widget/v1', pages: '/pages/v1' } as const

/** They end or lock what others are asked for. */
const lastOperations = [
  'progressNote.finalize',
  'widget.finalizeNote',
  'transcript.erase',
  'draft.erase',
  'session.erase',
  'client.erase',
  'client.transfer',
  'client.archive',
  'treatmentPlan.end',
  'widget.endPlan',
  'clinician.endWidgetSessions',
  'clinician.deactivate',
  'sandbox.advanceClock',
  'sandbox.expireTokens',
]

function listRoutes(): Route[] {
  const { partnerApi, widgetApi, pageApi } = service.api
  const routes: Route[] = [
    ...partnerApi.routes.map((route) => ({
      ...route,
      surface: 'partner' as const,
      query: route.query ?? null,
      body: route.body ?? null,
    })),
    ...widgetApi.routes.map((route) => ({ ...route, surface: 'widget' as const })),
    ...pageApi.routes.map((route) => ({ ...route, surface: 'pages' as const, query: null })),
  ]
  const rank = ({ operation, method }: Route): number =>
    lastOperations.indexOf(operation) + 1 || (method === 'DELETE' ? 0.5 : 0)
  return routes.toSorted((a, b) => rank(a) - rank(b))
}

interface Ask {
  path: string
  headers: Record<string, string>
  bodies: string[]
}

/** Frees the note from what the last call asked for: the next one would only be refused. */
async function freeNote(): Promise<void> {
  const tenant = { tenantId: partner.partnerId }
  const note = await findNoteOfSession(service.db, tenant, largest.sessionId)
  const generationId = note?.activeGenerationId ?? null
  if (generationId === null) return
  const context = asPipeline(await service.keys.get(tenant))
  await service.db.write(tenant, (tx) => failGeneration(tx, context, { generationId, reason: 'x' }))
}

const idOf = ({ path }: Route, name: string, ids: Record<string, string>): string => {
  const kinds = {
    '/assessment-scores': 'scoreId',
    '/webhook-endpoints': 'endpointId',
    '/webhook-deliveries': 'deliveryId',
  }
  const [, kind = name] =
    Object.entries(kinds).find(([prefix]) => name === 'id' && path.startsWith(prefix)) ?? []
  const id = ids[kind]
  if (id === undefined) throw new Error(`${path} has an id that this test does not know`)
  return id
}

async function headersOf({ surface, operation }: Route): Promise<Record<string, string>> {
  // What is no list does not look at it.
  if (surface === 'partner')
    return { ...partner.headers, [pageSizeHeader.toLowerCase()]: String(pageSizeMax) }
  if (surface === 'widget')
    return { ...(await signIn(service, partner, largest.clinicianId)).headers, 'tus-resumable': '1.0.0' }
  const clientId = await pages.addClient()
  const kind =
    (['invitation', 'consent'] as const).find((one) => operation.startsWith(`${one}.`)) ?? 'assessments'
  const tokens = {
    invitation: () => pages.invite(clientId),
    consent: () => pages.linkToConsent(clientId),
    assessments: async () =>
      (await pages.administer(['phq9', 'gad7', 'phq2', 'gad2'], clientId)).tokens[0] ?? '',
  }
  return { authorization: `Bearer ${await pages.letIn(await tokens[kind](), kind)}` }
}

/** Where the schema's largest body is refused, or is not the one that costs most. */
const ownBodies: Record<string, (headers: Record<string, string>) => Promise<string[]>> = {
  'progressNote.change': async () => listNotes(),
  // What the widget asks for is done by the same function: the body that costs it most.
  'widget.changeNote': async () => listNotes().slice(1, 2),
  'widget.restoreNote': async () => [JSON.stringify({ version: 3 })],
  'assessment.answer': async ({ authorization = '' }) => {
    const sitting = await pages.sitting(authorization.slice('Bearer '.length))
    return [JSON.stringify({ answers: sitting.assessments.flatMap((_, at) => answerAll(sitting, at, 1)) })]
  },
  'session.create': async () => listTexts().map((text) => JSON.stringify({ text })),
  'widget.createTypedSession': async () =>
    listTexts().map((text) => JSON.stringify({ text, recordingId: randomUUID() })),
  'session.correctSpeakers': async () => [JSON.stringify({ speakers: { client: 'client' } })],
  'widget.correctSpeakers': async () => [JSON.stringify({ speakers: { client: 'client' } })],
  // A role that no voice had: every line of it changes.
  'session.nameSpeakers': async () => [JSON.stringify({ speakers: [{ voice: 1, role: 'child' }] })],
  'widget.nameSpeakers': async () => [JSON.stringify({ speakers: [{ voice: 1, role: 'parent' }] })],
  'treatmentPlan.create': async () => [JSON.stringify(largestPlan())],
  'widget.createPlan': async () => [JSON.stringify(largestPlan())],
  'treatmentPlan.change': async () => [JSON.stringify(largestPlan())],
  'widget.changePlan': async () => [JSON.stringify(largestPlan())],
  'template.add': async () => [JSON.stringify({ template: largestTemplate(largestTemplateId) })],
}

/** All sections at their longest: as they are, all new, and with nothing that is a sentence. */
const listNotes = (): string[] =>
  [
    (at: number) => largestSections()[at]?.content ?? '',
    (at: number) => largestSections('x')[at]?.content ?? '',
    () => 'a. '.repeat(16_000),
    () => 'a'.repeat(49_000),
  ].map((write) =>
    JSON.stringify({ note: largestSections().map(({ key }, at) => ({ key, content: write(at) })) }),
  )

/** What a clinician may type of a session: talk, danger in every sentence, hardly a word in each, and no sentence at all. */
const listTexts = (): string[] =>
  ['She slept well and we spoke about her week. ', 'She thinks about killing herself. ', 'a. ', 'a'].map(
    (piece) => piece.repeat(sessionTextLengthMax).slice(0, sessionTextLengthMax).trim(),
  )

async function prepare(route: Route): Promise<Ask> {
  const ids: Record<string, string> = { ...(partner as unknown as Record<string, string>), ...largest }
  const headers = await headersOf(route)
  const own = await ownBodies[route.operation]?.(headers)
  const bodies = route.body === null ? [] : [...(own ?? []), ...listBodies(route.body)]
  if (route.path.includes('{uploadId}')) {
    const clinician = await signIn(service, partner, largest.clinicianId)
    const { sessionId } = await openRecording(clinician, largest.clientId)
    ids.uploadId = randomUUID()
    const path = `/sessions/${sessionId}/uploads`
    await clinician.call('POST', path, undefined, creationHeaders(ids.uploadId))
    if (route.operation === 'widget.continueUpload') {
      Object.assign(headers, patchHeaders(0))
      bodies.push('a'.repeat(8_000_000))
    }
  }
  if (route.path.includes('{consentId}')) ids.consentId = await agree()
  if (route.operation === 'widget.readWithdrawn') ids.sessionId = await withdraw()
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => idOf(route, name, ids))
  return { path: `${prefixes[route.surface]}${path}`, headers, bodies }
}

/** In the longest words that an operator may give. */
async function agree(): Promise<string> {
  const given = await service.call({
    method: 'POST',
    url: `/v2/clients/${largest.clientId}/consents`,
    headers: partner.headers,
    payload: { method: 'by_word', textVersion: consentVersion },
  })
  return given.json<Consent>().id
}

/** What is named of a withdrawn session. */
const copiesMost = 100

/** Put under another client, with as many copies of its note as are named. */
async function withdraw(): Promise<string> {
  const clinician = await signIn(service, partner, largest.clinicianId)
  const sessionId = await makeWrittenSession(service, { ...partner, clientId: largest.clientId }, clinician)
  for (let count = 0; count < copiesMost; count++)
    await clinician.call('POST', `/sessions/${sessionId}/progress-note/copies`, { to: 'clipboard' })
  const clientId = await pages.addClient({ clinicianId: largest.clinicianId })
  await giveConsent(clinician, clientId)
  const corrected = await clinician.call('POST', `/sessions/${sessionId}/correct-client`, { clientId })
  expect(corrected.json<CorrectedClient>().withdrawn.copies).toHaveLength(copiesMost)
  return sessionId
}

/** What a route is asked with; what was answered with a refusal has changed nothing, and can be asked again. */
interface Prepared {
  ask: Ask
  isSpent: boolean
}

/** A route with one of its bodies or queries: what it cost, and how it was answered each time. */
async function measure(
  route: Route,
  { body, query }: { body: string | null; query: string },
  prepared: Prepared,
): Promise<{ delayMs: number; statuses: number[] }> {
  const shared = body === null ? {} : { body: share(body) }
  const statuses: number[] = []
  const prepareNext = async (): Promise<void> => {
    if (!prepared.isSpent) return
    await freeNote()
    Object.assign(prepared, { ask: await prepare(route), isSpent: false })
  }
  await prepareNext()
  const delayMs = await findDelayMs(
    loopDelayMaxMs,
    async () => {
      const { path, headers } = prepared.ask
      const type = body === null ? {} : { 'content-type': headers['content-type'] ?? 'application/json' }
      const call = { method: route.method, url: `${origin}${path}${query}`, headers: { ...headers, ...type } }
      const { status } = await caller.call({ ...call, ...shared })
      prepared.isSpent = status < 400
      statuses.push(status)
    },
    prepareNext,
  )
  return { delayMs, statuses }
}

/** Without a recording there is nothing to play, and no export is ready; the answers of one form are few, and none stands in the largest record. */
const unanswered = new Set(['widget.playAudio', 'widget.readAnswers', 'clientExport.download'])

/** What costs most has to be done, and not refused, for its cost to be seen. */
const mustBeDone = ({ operation, method }: Route, at: number): boolean =>
  at === 0 && ((method === 'GET' && !unanswered.has(operation)) || operation in ownBodies)

describe('every route, with the largest bodies, queries and record', () => {
  it('leaves the loop to the others', { timeout: 1_800_000 }, async () => {
    const problems: string[] = []
    for (const route of listRoutes()) {
      await freeNote()
      const prepared = { ask: await prepare(route), isSpent: false }
      const { bodies } = prepared.ask
      const queries = route.query === null ? [''] : ['', ...listQueries(route.query)]
      const largestAsks =
        bodies.length === 0
          ? queries.map((query) => ({ body: null, query }))
          : bodies.map((body) => ({ body, query: '' }))
      for (const [at, ask] of largestAsks.entries()) {
        const { delayMs, statuses } = await measure(route, ask, prepared)
        const what = `${route.operation}, ${bodies.length === 0 ? 'query' : 'body'} ${at}`
        if (delayMs >= loopDelayMaxMs) problems.push(`${what}: ${Math.round(delayMs)} ms`)
        const isWrong = (status: number): boolean => status >= (mustBeDone(route, at) ? 300 : 500)
        if (statuses.some(isWrong)) problems.push(`${what}: ${statuses.join(', ')}`)
      }
    }
    expect(problems).toEqual([])
  })

  it('there is more than one route of each surface', () => {
    for (const surface of ['partner', 'widget', 'pages'])
      expect(listRoutes().filter((route) => route.surface === surface).length).toBeGreaterThan(4)
  })
})
