import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerPartnerApi } from '../../src/main/register-partner-api.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

/** For every route with an id in its path: how to build the path from somebody's ids. */
const owned: Record<string, (of: TestPartner) => string> = {
  'partner.change': (of) => `/partners/${of.partnerId}`,
  'organization.read': (of) => `/organizations/${of.organizationId}`,
  'clinic.list': (of) => `/organizations/${of.organizationId}/clinics`,
  'program.list': (of) => `/organizations/${of.organizationId}/programs`,
  'clinic.read': (of) => `/clinics/${of.clinicId}`,
  'program.read': (of) => `/programs/${of.programId}`,
  'clinician.create': (of) => `/clinics/${of.clinicId}/clinicians`,
  'clinician.list': (of) => `/clinics/${of.clinicId}/clinicians`,
  'clinician.read': (of) => `/clinicians/${of.clinicianId}`,
  'clinician.change': (of) => `/clinicians/${of.clinicianId}`,
  'clinician.deactivate': (of) => `/clinicians/${of.clinicianId}/deactivate`,
  'clinician.reactivate': (of) => `/clinicians/${of.clinicianId}/reactivate`,
  'clinician.endWidgetSessions': (of) => `/clinicians/${of.clinicianId}/end-widget-sessions`,
  'client.create': (of) => `/clinicians/${of.clinicianId}/clients`,
  'client.listOfClinician': (of) => `/clinicians/${of.clinicianId}/clients`,
  'client.list': (of) => `/clinics/${of.clinicId}/clients`,
  'client.read': (of) => `/clients/${of.clientId}`,
  'client.change': (of) => `/clients/${of.clientId}`,
  'client.archive': (of) => `/clients/${of.clientId}/archive`,
  'client.unarchive': (of) => `/clients/${of.clientId}/unarchive`,
  'client.invite': (of) => `/clients/${of.clientId}/invite`,
  'client.transfer': (of) => `/clients/${of.clientId}/transfer`,
  'client.assignSecondaryClinicians': (of) => `/clients/${of.clientId}/secondary-clinicians`,
  'client.listSecondaryClinicians': (of) => `/clients/${of.clientId}/secondary-clinicians`,
  'client.removeSecondaryClinician': (of) => `/clients/${of.clientId}/secondary-clinicians/${of.clinicianId}`,
  'client.listPrograms': (of) => `/clients/${of.clientId}/programs`,
  'client.readBrief': (of) => `/clients/${of.clientId}/brief`,
  'client.listTimeline': (of) => `/clients/${of.clientId}/timeline`,
  'consent.list': (of) => `/clients/${of.clientId}/consents`,
  'consent.create': (of) => `/clients/${of.clientId}/consents`,
  'consent.read': (of) => `/clients/${of.clientId}/consents/${of.consentId}`,
  'consent.withdraw': (of) => `/clients/${of.clientId}/consents/${of.consentId}/withdraw`,
  'consent.readText': (of) => `/clients/${of.clientId}/consent-text`,
  'consent.makeLink': (of) => `/clients/${of.clientId}/consent-link`,
  'treatmentPlan.create': (of) => `/clients/${of.clientId}/treatment-plans`,
  'treatmentPlan.list': (of) => `/clients/${of.clientId}/treatment-plans`,
  'treatmentPlan.read': (of) => `/treatment-plans/${of.treatmentPlanId}`,
  'treatmentPlan.change': (of) => `/treatment-plans/${of.treatmentPlanId}`,
  'treatmentPlan.sign': (of) => `/treatment-plans/${of.treatmentPlanId}/sign`,
  'treatmentPlan.end': (of) => `/treatment-plans/${of.treatmentPlanId}/end`,
  'treatmentPlan.listVersions': (of) => `/treatment-plans/${of.treatmentPlanId}/versions`,
  'clientExport.create': (of) => `/clients/${of.clientId}/exports`,
  'clientExport.read': (of) => `/client-exports/${of.clientExportId}`,
  'clientExport.download': (of) => `/client-exports/${of.clientExportId}/file`,
  'session.create': (of) => `/clients/${of.clientId}/sessions`,
  'session.list': (of) => `/clients/${of.clientId}/sessions`,
  'session.read': (of) => `/sessions/${of.sessionId}`,
  'session.retry': (of) => `/sessions/${of.sessionId}/retry`,
  'session.strike': (of) => `/sessions/${of.sessionId}/strike`,
  'session.readContext': (of) => `/sessions/${of.sessionId}/context`,
  'session.changeContext': (of) => `/sessions/${of.sessionId}/context`,
  'session.readTranscript': (of) => `/sessions/${of.sessionId}/transcript`,
  'session.correctSpeakers': (of) => `/sessions/${of.sessionId}/transcript`,
  'session.nameSpeakers': (of) => `/sessions/${of.sessionId}/speakers`,
  'session.link': (of) => `/sessions/${of.sessionId}/linked-sessions`,
  'session.readProgressNote': (of) => `/sessions/${of.sessionId}/progress-note`,
  'session.readMdm': (of) => `/sessions/${of.sessionId}/mdm`,
  'session.readSummary': (of) => `/sessions/${of.sessionId}/summary`,
  'progressNote.read': (of) => `/progress-notes/${of.progressNoteId}`,
  'progressNote.change': (of) => `/progress-notes/${of.progressNoteId}`,
  'progressNote.magicEdit': (of) => `/progress-notes/${of.progressNoteId}/magic-edit`,
  'progressNote.regenerate': (of) => `/progress-notes/${of.progressNoteId}/regenerate`,
  'progressNote.finalize': (of) => `/progress-notes/${of.progressNoteId}/finalize`,
  'progressNote.readChecks': (of) => `/progress-notes/${of.progressNoteId}/checks`,
  'progressNote.addAddendum': (of) => `/progress-notes/${of.progressNoteId}/addenda`,
  'progressNote.listAddenda': (of) => `/progress-notes/${of.progressNoteId}/addenda`,
  'progressNote.listVersions': (of) => `/progress-notes/${of.progressNoteId}/versions`,
  'clinician.listMagicEdits': (of) => `/clinicians/${of.clinicianId}/magic-edit`,
  'summary.read': (of) => `/summaries/${of.summaryId}`,
  'clinician.authenticate': (of) => `/clinicians/${of.clinicianId}/authenticate`,
  'assessment.list': (of) => `/clinics/${of.clinicId}/assessments`,
  'assessment.administer': (of) => `/clients/${of.clientId}/assessments`,
  'assessmentScore.read': (of) => `/assessment-scores/${of.scoreId}`,
  'assessmentScore.list': (of) => `/clients/${of.clientId}/assessment-scores`,
  'assessmentAssignment.list': (of) => `/clients/${of.clientId}/assessment-assignments`,
  'assessmentAssignment.reissue': (of) => `/assessment-assignments/${of.assignmentId}/reissue`,
  'assessmentAssignment.revoke': (of) => `/assessment-assignments/${of.assignmentId}`,
  'sandbox.completeAssessment': (of) => `/sandbox/assessments/${of.assignmentId}/complete`,
  'webhookEndpoint.read': (of) => `/webhook-endpoints/${of.endpointId}`,
  'webhookEndpoint.change': (of) => `/webhook-endpoints/${of.endpointId}`,
  'webhookEndpoint.delete': (of) => `/webhook-endpoints/${of.endpointId}`,
  'webhookEndpoint.test': (of) => `/webhook-endpoints/${of.endpointId}/test`,
  'webhookEndpoint.recover': (of) => `/webhook-endpoints/${of.endpointId}/recover`,
  'webhookDelivery.list': (of) => `/webhook-endpoints/${of.endpointId}/deliveries`,
  'template.read': (of) => `/templates/${of.templateId}`,
  'template.remove': (of) => `/templates/${of.templateId}`,
  'clinician.readWritingPreferences': (of) => `/clinicians/${of.clinicianId}/writing-preferences`,
  'clinician.changeWritingPreferences': (of) => `/clinicians/${of.clinicianId}/writing-preferences`,
  'client.erase': (of) => `/clients/${of.clientId}/erasures`,
  'session.erase': (of) => `/sessions/${of.sessionId}/erasures`,
  'transcript.erase': (of) => `/sessions/${of.sessionId}/transcript/erasures`,
  'draft.erase': (of) => `/progress-notes/${of.progressNoteId}/erasures`,
  'erasure.read': (of) => `/erasures/${of.erasureId}`,
  'webhookDelivery.resend': (of) => `/webhook-deliveries/${of.deliveryId}/resend`,
}

const routes = registerPartnerApi({} as Parameters<typeof registerPartnerApi>[0]).routes
/** Deletions last: they end what the others look at. */
const withId = routes
  .filter((route) => route.path.includes('{'))
  .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))

let service: TestService
let caller: TestPartner
let others: TestPartner[]

beforeAll(async () => {
  service = await makeTestService()
  caller = await service.addPartner('sandbox')
  others = [await service.addPartner('sandbox'), await service.addPartner('production')]
})
afterAll(() => service.close())

it('every route with an id in its path is in the list', () => {
  expect(Object.keys(owned).toSorted()).toEqual(withId.map((route) => route.operation).toSorted())
})

describe('404 for what is not yours, the same as for what does not exist', () => {
  for (const route of withId) {
    const toPath = owned[route.operation] as (of: TestPartner) => string
    it(route.operation, async () => {
      const ask = async (path: string): Promise<unknown> => {
        const answer = await service.call({
          method: route.method,
          url: `/v2${path}`,
          headers: caller.headers,
        })
        const { 'x-request-id': _id, date: _date, ratelimit: _limit, ...headers } = answer.headers
        const { path: _path, ...body } = answer.json<{ error: { timestamp: string }; path: string }>()
        body.error.timestamp = ''
        return { status: answer.statusCode, headers, body }
      }
      const anId = randomUUID()
      const fake = Object.fromEntries(Object.keys(caller).map((key) => [key, anId])) as unknown as TestPartner
      const unknown = await ask(toPath(fake))
      expect(unknown).toMatchObject({ status: 404 })
      for (const other of others) expect(await ask(toPath(other))).toEqual(unknown)
      for (const odd of [
        'x',
        anId.toUpperCase(),
        `{${anId}}`,
        '%00',
        '..%2f..%2f',
        'a'.repeat(5000),
        '%20',
        `${anId}%20`,
      ]) {
        const odder = Object.fromEntries(
          Object.keys(caller).map((key) => [key, odd]),
        ) as unknown as TestPartner
        const { body, status } = (await ask(toPath(odder))) as { body: unknown; status: number }
        expect([status, body]).toEqual([404, (unknown as { body: unknown }).body])
      }
      const own = await service.call({
        method: route.method,
        url: `/v2${toPath(caller)}`,
        headers: caller.headers,
      })
      // Its own may still be refused, for its state or for the body that is not there.
      expect(own.statusCode).not.toBe(404)
    })
  }
})
