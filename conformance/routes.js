// Every route of contract part 4 and ruling 4 that needs both headers. `list` marks the paginated ones.

/**
 * @typedef {object} Route
 * @property {'GET' | 'POST' | 'PATCH' | 'DELETE'} method
 * @property {string} path
 * @property {string} clause
 * @property {boolean} [isList]
 */

/** @type {readonly Route[]} */
export const routes = [
  { method: 'GET', path: '/partners', clause: '4 GET /partners' },
  { method: 'PATCH', path: '/partners/{partnerId}', clause: 'ruling 4 / callback URL' },
  { method: 'GET', path: '/organizations', clause: '4 Lists / organizations', isList: true },
  { method: 'GET', path: '/organizations/{organizationId}', clause: 'ruling 4 / single reads' },
  {
    method: 'GET',
    path: '/organizations/{organizationId}/clinics',
    clause: '4 Lists / clinics of an organization',
    isList: true,
  },
  {
    method: 'GET',
    path: '/organizations/{organizationId}/programs',
    clause: '4 Lists / programs of an organization',
    isList: true,
  },
  { method: 'GET', path: '/clinics/{clinicId}', clause: 'ruling 4 / single reads' },
  { method: 'GET', path: '/programs/{programId}', clause: 'ruling 4 / single reads' },
  {
    method: 'GET',
    path: '/clinics/{clinicId}/clinicians',
    clause: '4 Lists / clinicians of a clinic',
    isList: true,
  },
  { method: 'POST', path: '/clinics/{clinicId}/clinicians', clause: 'ruling 4 / create clinician' },
  {
    method: 'GET',
    path: '/clinics/{clinicId}/clients',
    clause: '4 Lists / clients of a clinic',
    isList: true,
  },
  {
    method: 'GET',
    path: '/clinics/{clinicId}/assessments',
    clause: '4 Lists / assessments of a clinic',
    isList: true,
  },
  { method: 'GET', path: '/clinicians/{clinicianId}', clause: 'ruling 4 / read, change clinician' },
  { method: 'PATCH', path: '/clinicians/{clinicianId}', clause: 'ruling 4 / read, change clinician' },
  {
    method: 'POST',
    path: '/clinicians/{clinicianId}/authenticate',
    clause: '4 POST /clinicians/{clinicianId}/authenticate',
  },
  {
    method: 'POST',
    path: '/clinicians/{clinicianId}/deactivate',
    clause: 'additions / deactivate, reactivate clinician',
  },
  {
    method: 'POST',
    path: '/clinicians/{clinicianId}/reactivate',
    clause: 'additions / deactivate, reactivate clinician',
  },
  {
    method: 'POST',
    path: '/clinicians/{clinicianId}/end-widget-sessions',
    clause: 'additions / end widget sessions',
  },
  {
    method: 'GET',
    path: '/clinicians/{clinicianId}/clients',
    clause: '4 Lists / clients of a clinician',
    isList: true,
  },
  { method: 'POST', path: '/clinicians/{clinicianId}/clients', clause: 'ruling 4 / create client' },
  {
    method: 'GET',
    path: '/clinicians/{clinicianId}/magic-edit',
    clause: '4 Lists / magic edits of a clinician',
    isList: true,
  },
  { method: 'GET', path: '/clients/{clientId}', clause: 'ruling 4 / read, change client' },
  { method: 'PATCH', path: '/clients/{clientId}', clause: 'ruling 4 / read, change client' },
  {
    method: 'POST',
    path: '/clients/{clientId}/archive',
    clause: 'ruling 4 / archive, unarchive client',
  },
  {
    method: 'POST',
    path: '/clients/{clientId}/unarchive',
    clause: 'ruling 4 / archive, unarchive client',
  },
  { method: 'POST', path: '/clients/{clientId}/invite', clause: 'ruling 4 / invite client' },
  { method: 'POST', path: '/clients/{clientId}/transfer', clause: 'ruling 4 / transfer client' },
  {
    method: 'GET',
    path: '/clients/{clientId}/secondary-clinicians',
    clause: 'ruling 4 / list, remove secondary clinicians',
    isList: true,
  },
  {
    method: 'POST',
    path: '/clients/{clientId}/secondary-clinicians',
    clause: '4 POST /clients/{clientId}/secondary-clinicians',
  },
  {
    method: 'DELETE',
    path: '/clients/{clientId}/secondary-clinicians/{clinicianId}',
    clause: 'ruling 4 / list, remove secondary clinicians',
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/programs',
    clause: '4 Lists / programs of a client',
    isList: true,
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/sessions',
    clause: '4 Lists / sessions of a client',
    isList: true,
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/treatment-plans',
    clause: 'additions / treatment plans',
    isList: true,
  },
  {
    method: 'POST',
    path: '/clients/{clientId}/treatment-plans',
    clause: 'additions / treatment plans',
  },
  {
    method: 'GET',
    path: '/treatment-plans/{treatmentPlanId}',
    clause: 'additions / treatment plans',
  },
  {
    method: 'PATCH',
    path: '/treatment-plans/{treatmentPlanId}',
    clause: 'additions / treatment plans',
  },
  {
    method: 'POST',
    path: '/treatment-plans/{treatmentPlanId}/sign',
    clause: 'additions / treatment plans',
  },
  {
    method: 'POST',
    path: '/treatment-plans/{treatmentPlanId}/end',
    clause: 'additions / treatment plans',
  },
  {
    method: 'GET',
    path: '/treatment-plans/{treatmentPlanId}/versions',
    clause: 'additions / treatment plans',
    isList: true,
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/consents',
    clause: 'additions / consent to be recorded',
    isList: true,
  },
  {
    method: 'POST',
    path: '/clients/{clientId}/consents',
    clause: 'additions / consent to be recorded',
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/consents/{consentId}',
    clause: 'additions / consent to be recorded',
  },
  {
    method: 'POST',
    path: '/clients/{clientId}/consents/{consentId}/withdraw',
    clause: 'additions / consent to be recorded',
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/consent-text',
    clause: 'additions / consent to be recorded',
  },
  {
    method: 'POST',
    path: '/clients/{clientId}/consent-link',
    clause: 'additions / consent to be recorded',
  },
  { method: 'POST', path: '/clients/{clientId}/sessions', clause: 'ruling 4 / create session' },
  {
    method: 'POST',
    path: '/clients/{clientId}/assessments',
    clause: 'ruling 4 / administer assessments',
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/assessment-scores',
    clause: "ruling 4 / client's scores",
    isList: true,
  },
  { method: 'POST', path: '/clients/{clientId}/exports', clause: 'additions / export a client' },
  { method: 'GET', path: '/client-exports/{clientExportId}', clause: 'additions / export a client' },
  { method: 'GET', path: '/client-exports/{clientExportId}/file', clause: 'additions / export a client' },
  { method: 'POST', path: '/clients/{clientId}/erasures', clause: 'additions / erase' },
  { method: 'POST', path: '/sessions/{sessionId}/erasures', clause: 'additions / erase' },
  { method: 'POST', path: '/sessions/{sessionId}/transcript/erasures', clause: 'additions / erase' },
  { method: 'POST', path: '/progress-notes/{progressNoteId}/erasures', clause: 'additions / erase' },
  { method: 'GET', path: '/erasures/{erasureId}', clause: 'additions / erase' },
  { method: 'GET', path: '/sessions/{sessionId}', clause: 'ruling 4 / read session' },
  {
    method: 'GET',
    path: '/sessions/{sessionId}/progress-note',
    clause: '4 GET /sessions/{sessionId}/progress-note',
  },
  {
    method: 'POST',
    path: '/sessions/{sessionId}/retry',
    clause: 'additions / try a session again',
  },
  {
    method: 'POST',
    path: '/sessions/{sessionId}/strike',
    clause: 'additions / strike a stretch',
  },
  {
    method: 'GET',
    path: '/sessions/{sessionId}/context',
    clause: 'additions / what is known beside a session',
  },
  {
    method: 'PATCH',
    path: '/sessions/{sessionId}/context',
    clause: 'additions / what is known beside a session',
  },
  {
    method: 'GET',
    path: '/sessions/{sessionId}/transcript',
    clause: '4 GET /sessions/{sessionId}/transcript',
  },
  { method: 'PATCH', path: '/sessions/{sessionId}/transcript', clause: 'ruling 4 / correct speakers' },
  { method: 'PATCH', path: '/sessions/{sessionId}/speakers', clause: 'additions / who is heard' },
  {
    method: 'POST',
    path: '/sessions/{sessionId}/linked-sessions',
    clause: 'additions / a session for each of several',
  },
  { method: 'GET', path: '/sessions/{sessionId}/mdm', clause: '4 GET /sessions/{sessionId}/mdm' },
  { method: 'GET', path: '/sessions/{sessionId}/summary', clause: 'ruling 4 / summary' },
  { method: 'GET', path: '/summaries/{summaryId}', clause: 'ruling 4 / summary' },
  {
    method: 'GET',
    path: '/progress-notes/{progressNoteId}',
    clause: '4 GET /progress-notes/{progressNoteId}',
  },
  {
    method: 'PATCH',
    path: '/progress-notes/{progressNoteId}',
    clause: '4 PATCH /progress-notes/{progressNoteId}',
  },
  {
    method: 'POST',
    path: '/progress-notes/{progressNoteId}/magic-edit',
    clause: '4 POST /progress-notes/{progressNoteId}/magic-edit',
  },
  {
    method: 'POST',
    path: '/progress-notes/{progressNoteId}/regenerate',
    clause: '4 POST /progress-notes/{progressNoteId}/regenerate',
  },
  {
    method: 'POST',
    path: '/progress-notes/{progressNoteId}/finalize',
    clause: 'ruling 4 / finalize note',
  },
  {
    method: 'GET',
    path: '/progress-notes/{progressNoteId}/versions',
    clause: 'ruling 4 / note history',
    isList: true,
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/brief',
    clause: 'additions / brief and timeline of a client',
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/timeline',
    clause: 'additions / brief and timeline of a client',
    isList: true,
  },
  {
    method: 'GET',
    path: '/progress-notes/{progressNoteId}/checks',
    clause: 'additions / checks before signing',
  },
  {
    method: 'GET',
    path: '/assessment-scores/{assessmentScoreId}',
    clause: '4 GET /assessment-scores/{id}',
  },
  { method: 'GET', path: '/webhook-endpoints', clause: 'ruling 4 / webhook endpoints', isList: true },
  { method: 'POST', path: '/webhook-endpoints', clause: 'ruling 4 / webhook endpoints' },
  {
    method: 'GET',
    path: '/webhook-endpoints/{webhookEndpointId}',
    clause: 'ruling 4 / webhook endpoints',
  },
  {
    method: 'PATCH',
    path: '/webhook-endpoints/{webhookEndpointId}',
    clause: 'ruling 4 / webhook endpoints',
  },
  {
    method: 'DELETE',
    path: '/webhook-endpoints/{webhookEndpointId}',
    clause: 'ruling 4 / webhook endpoints',
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/{webhookEndpointId}/test',
    clause: 'ruling 4 / test, deliveries, resend, recover',
  },
  {
    method: 'GET',
    path: '/webhook-endpoints/{webhookEndpointId}/deliveries',
    clause: 'ruling 4 / test, deliveries, resend, recover',
    isList: true,
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/{webhookEndpointId}/recover',
    clause: 'ruling 4 / test, deliveries, resend, recover',
  },
  {
    method: 'POST',
    path: '/webhook-deliveries/{webhookDeliveryId}/resend',
    clause: 'ruling 4 / test, deliveries, resend, recover',
  },
  {
    method: 'POST',
    path: '/sandbox/assessments/{assignmentId}/complete',
    clause: 'additions / what a sandbox can be made to do',
  },
  {
    method: 'POST',
    path: '/sandbox/tokens/expire',
    clause: 'additions / what a sandbox can be made to do',
  },
  { method: 'GET', path: '/sandbox/faults', clause: 'additions / what a sandbox can be made to do' },
  { method: 'POST', path: '/sandbox/faults', clause: 'additions / what a sandbox can be made to do' },
  { method: 'GET', path: '/sandbox/clock', clause: 'additions / what a sandbox can be made to do' },
  { method: 'POST', path: '/sandbox/clock', clause: 'additions / what a sandbox can be made to do' },
  { method: 'DELETE', path: '/sandbox/faults', clause: 'additions / what a sandbox can be made to do' },
  // Newest first, and it grows with every call: no list like the others.
  { method: 'GET', path: '/request-logs', clause: 'additions / request log' },
  { method: 'GET', path: '/templates', clause: 'additions / templates' },
  { method: 'POST', path: '/templates', clause: 'additions / templates' },
  { method: 'GET', path: '/templates/{templateId}', clause: 'additions / templates' },
  { method: 'DELETE', path: '/templates/{templateId}', clause: 'additions / templates' },
  {
    method: 'GET',
    path: '/clinicians/{clinicianId}/writing-preferences',
    clause: 'additions / what a clinician wants of notes',
  },
  {
    method: 'PATCH',
    path: '/clinicians/{clinicianId}/writing-preferences',
    clause: 'additions / what a clinician wants of notes',
  },
]

/**
 * @param {string} path with {names}
 * @param {(name: string) => string} toId
 */
export const fillPath = (path, toId) => path.replaceAll(/\{(\w+)\}/g, (_, name) => toId(name))
