import {
  AssessmentScore,
  ExpiredTokens,
  SandboxAnswers,
  SandboxClock,
  SandboxClockMove,
  SandboxFault,
  SandboxFaultRequest,
  SandboxFaults,
  SandboxTokenExpiry,
} from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import { openChange, type SealedParts } from '../../kernel/change-context.js'
import { refuse } from '../../kernel/refuse.js'
import { findAssignment, findScore, type AssessmentsParts } from '../assessments/index.js'
import { completeForClient } from '../client-pages/index.js'
import { findClinician } from '../clinicians/index.js'
import { endWidgetSessions } from '../widget/index.js'
import { expirePartnerTokens } from './expire-tokens.js'
import { findSandbox } from './find-sandbox.js'
import { advanceClock, readClock } from './move-clock.js'
import { endFaults, findFault, provokeFaults } from './provoke-faults.js'

export interface SandboxParts extends SealedParts, AssessmentsParts {
  /** Lets this process know at once what the others hear within a second. */
  hearDirectory: () => Promise<void>
}

/** What a sandbox can be made to do. Each route is a 404 anywhere else. */
export function registerSandbox(api: PartnerApi, parts: SandboxParts): void {
  registerCompletion(api, parts)
  registerExpiry(api, parts)
  registerFaults(api, parts)
  registerClock(api, parts)
}

function registerCompletion(api: PartnerApi, parts: SandboxParts): void {
  const { db, instruments } = parts
  api.route({
    operation: 'sandbox.completeAssessment',
    method: 'POST',
    path: '/sandbox/assessments/{assignmentId}/complete',
    summary: 'Complete an assignment with given answers',
    description:
      "What the client would do on their page: the answers are scored, danger in them is opened, and `assessment_completed` is sent. What else of the client's was answered to its end by then is completed with it.",
    load: async (tenant, { assignmentId }) =>
      (await findSandbox(tenant)) === null ? null : findAssignment(db, tenant, assignmentId),
    body: SandboxAnswers,
    answer: { status: 201, schema: AssessmentScore, description: 'The score' },
    rules: { 409: 'It is not outstanding' },
    audit: 'change',
    handle: async ({ tenant, loaded, body, ...caller }) => {
      const context = { ...(await openChange(parts, tenant, caller)), catalogue: await instruments.get() }
      const scoreId = await db.write(tenant, (tx) =>
        completeForClient(tx, context, { assignment: loaded, answers: body.answers }),
      )
      const score = await findScore(parts, tenant, scoreId)
      if (score === null) throw new Error('a score that was just kept is gone')
      return score
    },
  })
}

function registerExpiry(api: PartnerApi, { db, clock, hearDirectory }: SandboxParts): void {
  api.route({
    operation: 'sandbox.expireTokens',
    method: 'POST',
    path: '/sandbox/tokens/expire',
    summary: 'Let tokens expire now',
    description:
      'Partner tokens are 401 from the answer on, in other processes within a second; obtain a new one. A clinician’s widget asks its page for new tokens.',
    load: findSandbox,
    body: SandboxTokenExpiry,
    findProblems: (_tenant, { kind, clinicianId }) =>
      kind === 'clinician' && (clinicianId ?? null) === null ? ['clinicianId should not be empty'] : [],
    answer: { status: 200, schema: ExpiredTokens, description: 'What has expired' },
    audit: 'change',
    handle: async ({ tenant, body: { kind, clinicianId }, actor, requestId }) => {
      const source = { actor, requestId }
      const expiredAt = new Date(clock.nowMs()).toISOString()
      if (kind === 'partner') {
        await db.write(tenant, (tx) => expirePartnerTokens(tx, source))
        await hearDirectory()
        return { kind, clinicianId: null, expiredAt }
      }
      const clinician = clinicianId == null ? null : await findClinician(db, tenant, clinicianId)
      if (clinician === null) throw refuse.invalid(['clinicianId must be a clinician of this partner'])
      await db.write(tenant, (tx) => endWidgetSessions(tx, clinician.clinicianId, source))
      return { kind, clinicianId: clinician.clinicianId, expiredAt }
    },
  })
}

function registerFaults(api: PartnerApi, { db, hearDirectory }: SandboxParts): void {
  const path = '/sandbox/faults'
  api.route({
    operation: 'sandbox.provokeFaults',
    method: 'POST',
    path,
    summary: 'Have the next calls fail',
    description:
      'The next `count` calls of this tenant are answered 429, 500 or 503, as the real ones are, with `Retry-After` where these have it. Nothing is done for them. Calls below `/sandbox` are not counted and not touched. Replaces what was asked for before; other processes hear of it within a second.',
    load: findSandbox,
    body: SandboxFaultRequest,
    findProblems: (_tenant, { pathPrefix }) =>
      typeof pathPrefix === 'string' && pathPrefix !== '' && !pathPrefix.startsWith('/')
        ? ['pathPrefix must begin with /']
        : [],
    answer: { status: 201, schema: SandboxFault, description: 'What is to come' },
    audit: 'change',
    handle: async ({ tenant, body, actor, requestId }) => {
      const fault = await db.write(tenant, (tx) => provokeFaults(tx, body, { actor, requestId }))
      await hearDirectory()
      return fault
    },
  })
  api.route({
    operation: 'sandbox.readFaults',
    method: 'GET',
    path,
    summary: 'What is left of the faults that were asked for',
    load: findSandbox,
    answer: { status: 200, schema: SandboxFaults, description: 'The last one, or none' },
    audit: 'read',
    handle: async ({ tenant }) => ({ fault: await findFault(db, tenant) }),
  })
  api.route({
    operation: 'sandbox.endFaults',
    method: 'DELETE',
    path,
    summary: 'Have no more calls fail; ending what has ended changes nothing',
    load: findSandbox,
    answer: { status: 204, schema: null, description: 'None is left' },
    audit: 'change',
    handle: async ({ tenant, actor, requestId }) => {
      await db.write(tenant, (tx) => endFaults(tx, { actor, requestId }))
      await hearDirectory()
    },
  })
}

function registerClock(api: PartnerApi, { db }: SandboxParts): void {
  const path = '/sandbox/clock'
  api.route({
    operation: 'sandbox.advanceClock',
    method: 'POST',
    path,
    summary: 'Move the clock of this sandbox ahead',
    description:
      'Links, sign-in codes and refresh tokens expire by it, webhooks are tried again by it, and recordings and deliveries are kept by it. Access tokens, what is under way and the times at which something happened stay those of the real clock.',
    load: findSandbox,
    body: SandboxClockMove,
    answer: { status: 200, schema: SandboxClock, description: 'What it shows now' },
    rules: { 409: 'It would be more than 400 days ahead, or was moved 1,000 times: reset the sandbox' },
    audit: 'change',
    handle: async ({ tenant, body, actor, requestId }) => {
      await db.write(tenant, (tx) => advanceClock(tx, body.advanceSeconds, { actor, requestId }))
      return readClock(db, tenant)
    },
  })
  api.route({
    operation: 'sandbox.readClock',
    method: 'GET',
    path,
    summary: 'What the clock of this sandbox shows',
    load: findSandbox,
    answer: { status: 200, schema: SandboxClock, description: 'Its time, and the real one' },
    audit: 'read',
    handle: ({ tenant }) => readClock(db, tenant),
  })
}
