import { randomUUID } from 'node:crypto'
import type {
  AssessmentAssignments,
  ConsentLink,
  InvitedClient,
  LinkKind,
  OpenedLink,
  PageAnswers,
  PageSitting,
  WebhookEvent,
} from '@casenote/contract'
import type { LightMyRequestResponse } from 'fastify'
import { createClient } from '../../src/features/clients/index.js'
import { operator } from '../../src/kernel/operator.js'
import type { TestPartner, TestService } from '../support/test-service.js'

export const birthDate = '1990-02-03'

export interface Administered {
  clientId: string
  /** One link for each assessment, in the order asked. */
  tokens: string[]
  assignmentIds: string[]
}

type GivenAnswer = PageAnswers['answers'][number]

/** What a client's browser sends, and what stands behind it. */
export interface PagesFixture {
  addClient(fields?: { language?: string; clinicianId?: string }): Promise<string>
  administer(assessmentIds: string[], clientId?: string): Promise<Administered>
  invite(clientId: string): Promise<string>
  linkToConsent(clientId: string): Promise<string>
  open(token: string, dateOfBirth?: string, options?: OpenOptions): Promise<LightMyRequestResponse>
  /** Opens a link with the right date. */
  letIn(token: string, kind?: LinkKind): Promise<string>
  call(
    method: 'GET' | 'POST',
    path: string,
    bearer: string,
    payload?: object,
  ): Promise<LightMyRequestResponse>
  /** `headers`: what the browser asks for and the person picked. */
  sitting(bearer: string, headers?: Record<string, string>): Promise<PageSitting>
  save(bearer: string, answers: GivenAnswer[]): Promise<LightMyRequestResponse>
  /** `assessment_completed` events of a client, oldest first. */
  completions(clientId: string): Promise<WebhookEvent[]>
  rows<Row>(text: string, values: unknown[]): Promise<Row[]>
  /** Operations and actors in the audit log about a client, oldest first. */
  audited(clientId: string): Promise<string[]>
}

interface OpenOptions {
  kind?: LinkKind
  address?: string
}

export const tokenOf = (url: string): string => url.split('/').at(-1) ?? ''

let addresses = 0

/** Another one each time: who shares one is the subject of a test of its own. */
const nextAddress = (): string => {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

let clockMs = Date.now() - 3_600_000

/** Later than every one before it. */
export const answer = (assignmentId: string, questionKey: string, value: number): GivenAnswer => ({
  answerId: randomUUID(),
  assignmentId,
  questionKey,
  value,
  language: 'en',
  givenAtMs: (clockMs += 10),
})

/** Every question of an assessment that is asked, answered with one value. */
export const answerAll = (sitting: PageSitting, index: number, value: number): GivenAnswer[] =>
  (sitting.assessments[index]?.questions ?? []).map(({ key }) =>
    answer(sitting.assessments[index]?.assignmentId ?? '', key, value),
  )

export function makePagesFixture(service: TestService, partner: TestPartner): PagesFixture {
  const scope = { tenantId: partner.partnerId }
  const post = (path: string, payload?: object) => service.ask(partner, 'POST', path, payload)
  const fixture: PagesFixture = {
    addClient: (fields = {}) =>
      service.db.write(scope, (tx) =>
        createClient(
          tx,
          {
            clinicianId: partner.clinicianId,
            firstName: 'Sam',
            lastName: 'Sample',
            dateOfBirth: birthDate,
            email: 'sam@example.com',
            phoneNumber: null,
            externalId: null,
            ...fields,
          },
          operator,
        ),
      ),
    administer: async (assessmentIds, known) => {
      const clientId = known ?? (await fixture.addClient())
      const answered = await post(`/clients/${clientId}/assessments`, { assessmentIds })
      const { assignments } = answered.json<AssessmentAssignments>()
      return {
        clientId,
        tokens: assignments.map(({ url }) => tokenOf(url)),
        assignmentIds: assignments.map(({ id }) => id),
      }
    },
    invite: async (clientId) =>
      tokenOf((await post(`/clients/${clientId}/invite`)).json<InvitedClient>().inviteUrl),
    linkToConsent: async (clientId) =>
      tokenOf((await post(`/clients/${clientId}/consent-link`)).json<ConsentLink>().url),
    open: (token, dateOfBirth = birthDate, { kind = 'assessments', address = nextAddress() } = {}) =>
      service.call({
        method: 'POST',
        url: '/pages/v1/open',
        payload: { kind, token, dateOfBirth },
        remoteAddress: address,
      }),
    letIn: async (token, kind = 'assessments') =>
      (await fixture.open(token, birthDate, { kind })).json<OpenedLink>().bearer,
    call: (method, path, bearer, payload) =>
      service.call({
        method,
        url: `/pages/v1${path}`,
        headers: { authorization: `Bearer ${bearer}` },
        ...(payload === undefined ? {} : { payload }),
      }),
    sitting: async (bearer, headers = {}) => {
      const authorization = `Bearer ${bearer}`
      const url = '/pages/v1/sitting'
      const answered = await service.call({ method: 'GET', url, headers: { authorization, ...headers } })
      return answered.json<PageSitting>()
    },
    save: (bearer, answers) => fixture.call('POST', '/answers', bearer, { answers }),
    completions: async (clientId) => {
      const rows = await fixture.rows<{ body: Buffer }>(
        'select body from casenote.events where tenant_id = $1 order by seq',
        [partner.partnerId],
      )
      return rows
        .map(({ body }) => JSON.parse(body.toString()) as WebhookEvent)
        .filter(({ payload }) => 'patientId' in payload && payload.patientId === clientId)
    },
    rows: async <Row>(text: string, values: unknown[]) => service.owner.read<Row>(scope, { text, values }),
    audited: async (clientId) => {
      const rows = await fixture.rows<{ entry: string }>(
        `select operation || ' by ' || actor_kind as entry from casenote.audit_pending
         where $1 = any(subject_ids) order by pending_id`,
        [clientId],
      )
      return rows.map(({ entry }) => entry)
    },
  }
  return fixture
}
