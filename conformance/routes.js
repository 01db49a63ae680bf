// Every route of contract part 4 and ruling 4 that needs both headers. `list` marks the paginated ones.

/**
 * @typedef {object} Route
 * @property {'GET' | 'POST' | 'PATCH' | 'DELETE'} method
 * @property {string} path
 * @property {string} statement
 * @property {boolean} [isList]
 */

/** @type {readonly Route[]} */
export const routes = [
  { method: 'GET', path: '/partners', statement: '4 GET /partners' },
  { method: 'PATCH', path: '/partners/{partnerId}', statement: 'ruling 4 / callback URL' },
  { method: 'GET', path: '/organizations', statement: '4 Lists / organizations', isList: true },
  { method: 'GET', path: '/organizations/{organizationId}', statement: 'ruling 4 / single reads' },
  {
    method: 'GET',
    path: '/organizations/{organizationId}/clinics',
    statement: '4 Lists / clinics of an organization',
    isList: true,
  },
  {
    method: 'GET',
    path: '/organizations/{organizationId}/programs',
    statement: '4 Lists / programs of an organization',
    isList: true,
  },
  { method: 'GET', path: '/clinics/{clinicId}', statement: 'ruling 4 / single reads' },
  { method: 'GET', path: '/programs/{programId}', statement: 'ruling 4 / single reads' },
  {
    method: 'GET',
    path: '/clinics/{clinicId}/clinicians',
    statement: '4 Lists / clinicians of a clinic',
    isList: true,
  },
  { method: 'POST', path: '/clinics/{clinicId}/clinicians', statement: 'ruling 4 / create clinician' },
  {
    method: 'GET',
    path: '/clinics/{clinicId}/clients',
    statement: '4 Lists / clients of a clinic',
    isList: true,
  },
  {
    method: 'GET',
    path: '/clinics/{clinicId}/assessments',
    statement: '4 Lists / assessments of a clinic',
    isList: true,
  },
  { method: 'GET', path: '/clinicians/{clinicianId}', statement: 'ruling 4 / read, change clinician' },
  { method: 'PATCH', path: '/clinicians/{clinicianId}', statement: 'ruling 4 / read, change clinician' },
  {
    method: 'POST',
    path: '/clinicians/{clinicianId}/authenticate',
    statement: '4 POST /clinicians/{clinicianId}/authenticate',
  },
  {
    method: 'POST',
    path: '/clinicians/{clinicianId}/deactivate',
    statement: 'additions / deactivate, reactivate clinician',
  },
  {
    method: 'POST',
    path: '/clinicians/{clinicianId}/reactivate',
    statement: 'additions / deactivate, reactivate clinician',
  },
  {
    method: 'POST',
    path: '/clinicians/{clinicianId}/end-widget-sessions',
    statement: 'additions / end widget sessions',
  },
  {
    method: 'GET',
    path: '/clinicians/{clinicianId}/clients',
    statement: '4 Lists / clients of a clinician',
    isList: true,
  },
  { method: 'POST', path: '/clinicians/{clinicianId}/clients', statement: 'ruling 4 / create client' },
  {
    method: 'GET',
    path: '/clinicians/{clinicianId}/magic-edit',
    statement: '4 Lists / magic edits of a clinician',
    isList: true,
  },
  { method: 'GET', path: '/clients/{clientId}', statement: 'ruling 4 / read, change client' },
  { method: 'PATCH', path: '/clients/{clientId}', statement: 'ruling 4 / read, change client' },
  {
    method: 'POST',
    path: '/clients/{clientId}/archive',
    statement: 'ruling 4 / archive, unarchive client',
  },
  {
    method: 'POST',
    path: '/clients/{clientId}/unarchive',
    statement: 'ruling 4 / archive, unarchive client',
  },
  { method: 'POST', path: '/clients/{clientId}/invite', statement: 'ruling 4 / invite client' },
  { method: 'POST', path: '/clients/{clientId}/transfer', statement: 'ruling 4 / transfer client' },
  {
    method: 'GET',
    path: '/clients/{clientId}/secondary-clinicians',
    statement: 'ruling 4 / list, remove secondary clinicians',
    isList: true,
  },
  {
    method: 'POST',
    path: '/clients/{clientId}/secondary-clinicians',
    statement: '4 POST /clients/{clientId}/secondary-clinicians',
  },
  {
    method: 'DELETE',
    path: '/clients/{clientId}/secondary-clinicians/{clinicianId}',
    statement: 'ruling 4 / list, remove secondary clinicians',
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/programs',
    statement: '4 Lists / programs of a client',
    isList: true,
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/sessions',
    statement: '4 Lists / sessions of a client',
    isList: true,
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/treatment-plans',
    statement: 'additions / treatment plans',
    isList: true,
  },
  {
    method: 'POST',
    path: '/clients/{clientId}/treatment-plans',
    statement: 'additions / treatment plans',
  },
  {
    method: 'GET',
    path: '/treatment-plans/{treatmentPlanId}',
    statement: 'additions / treatment plans',
  },
  {
    method: 'PATCH',
    path: '/treatment-plans/{treatmentPlanId}',
    statement: 'additions / treatment plans',
  },
  {
    method: 'POST',
    path: '/treatment-plans/{treatmentPlanId}/sign',
    statement: 'additions / treatment plans',
  },
  {
    method: 'POST',
    path: '/treatment-plans/{treatmentPlanId}/end',
    statement: 'additions / treatment plans',
  },
  {
    method: 'GET',
    path: '/treatment-plans/{treatmentPlanId}/versions',
    statement: 'additions / treatment plans',
    isList: true,
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/consents',
    statement: 'additions / consent to be recorded',
    isList: true,
  },
  {
    method: 'POST',
    path: '/clients/{clientId}/consents',
    statement: 'additions / consent to be recorded',
  },
  {
    method: 'POST',
    path: '/clients/{clientId}/consents/{consentId}/withdraw',
    statement: 'additions / consent to be recorded',
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/consent-text',
    statement: 'additions / consent to be recorded',
  },
  {
    method: 'POST',
    path: '/clients/{clientId}/consent-link',
    statement: 'additions / consent to be recorded',
  },
  { method: 'POST', path: '/clients/{clientId}/sessions', statement: 'ruling 4 / create session' },
  {
    method: 'POST',
    path: '/clients/{clientId}/assessments',
    statement: 'ruling 4 / administer assessments',
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/assessment-scores',
    statement: "ruling 4 / client's scores",
    isList: true,
  },
  { method: 'POST', path: '/clients/{clientId}/exports', statement: 'additions / export a client' },
  { method: 'GET', path: '/client-exports/{clientExportId}', statement: 'additions / export a client' },
  { method: 'GET', path: '/client-exports/{clientExportId}/file', statement: 'additions / export a client' },
  { method: 'POST', path: '/clients/{clientId}/erasures', statement: 'additions / erase' },
  { method: 'POST', path: '/sessions/{sessionId}/erasures', statement: 'additions / erase' },
  { method: 'POST', path: '/sessions/{sessionId}/transcript/erasures', statement: 'additions / erase' },
  { method: 'POST', path: '/progress-notes/{progressNoteId}/erasures', statement: 'additions / erase' },
  { method: 'GET', path: '/erasures/{erasureId}', statement: 'additions / erase' },
  { method: 'GET', path: '/sessions/{sessionId}', statement: 'ruling 4 / read session' },
  {
    method: 'GET',
    path: '/sessions/{sessionId}/progress-note',
    statement: '4 GET /sessions/{sessionId}/progress-note',
  },
  {
    method: 'POST',
    path: '/sessions/{sessionId}/retry',
    statement: 'additions / try a session again',
  },
  {
    method: 'POST',
    path: '/sessions/{sessionId}/strike',
    statement: 'additions / strike a stretch',
  },
  {
    method: 'GET',
    path: '/sessions/{sessionId}/context',
    statement: 'additions / what is known beside a session',
  },
  {
    method: 'PATCH',
    path: '/sessions/{sessionId}/context',
    statement: 'additions / what is known beside a session',
  },
  {
    method: 'GET',
    path: '/sessions/{sessionId}/transcript',
    statement: '4 GET /sessions/{sessionId}/transcript',
  },
  { method: 'PATCH', path: '/sessions/{sessionId}/transcript', statement: 'ruling 4 / correct speakers' },
  { method: 'PATCH', path: '/sessions/{sessionId}/speakers', statement: 'additions / who is heard' },
  {
    method: 'POST',
    path: '/sessions/{sessionId}/linked-sessions',
    statement: 'additions / a session for each of several',
  },
  { method: 'GET', path: '/sessions/{sessionId}/mdm', statement: '4 GET /sessions/{sessionId}/mdm' },
  { method: 'GET', path: '/sessions/{sessionId}/summary', statement: 'ruling 4 / summary' },
  { method: 'GET', path: '/summaries/{summaryId}', statement: 'ruling 4 / summary' },
  {
    method: 'GET',
    path: '/progress-notes/{progressNoteId}',
    statement: '4 GET /progress-notes/{progressNoteId}',
  },
  {
    method: 'PATCH',
    path: '/progress-notes/{progressNoteId}',
    statement: '4 PATCH /progress-notes/{progressNoteId}',
  },
  {
    method: 'POST',
    path: '/progress-notes/{progressNoteId}/magic-edit',
    statement: '4 POST /progress-notes/{progressNoteId}/magic-edit',
  },
  {
    method: 'POST',
    path: '/progress-notes/{progressNoteId}/regenerate',
    statement: '4 POST /progress-notes/{progressNoteId}/regenerate',
  },
  {
    method: 'POST',
    path: '/progress-notes/{progressNoteId}/finalize',
    statement: 'ruling 4 / finalize note',
  },
  {
    method: 'GET',
    path: '/progress-notes/{progressNoteId}/versions',
    statement: 'ruling 4 / note history',
    isList: true,
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/brief',
    statement: 'additions / brief and timeline of a client',
  },
  {
    method: 'GET',
    path: '/clients/{clientId}/timeline',
    statement: 'additions / brief and timeline of a client',
    isList: true,
  },
  {
    method: 'GET',
    path: '/progress-notes/{progressNoteId}/checks',
    statement: 'additions / checks before signing',
  },
  {
    method: 'GET',
    path: '/assessment-scores/{assessmentScoreId}',
    statement: '4 GET /assessment-scores/{id}',
  },
  { method: 'GET', path: '/webhook-endpoints', statement: 'ruling 4 / webhook endpoints', isList: true },
  { method: 'POST', path: '/webhook-endpoints', statement: 'ruling 4 / webhook endpoints' },
  {
    method: 'GET',
    path: '/webhook-endpoints/{webhookEndpointId}',
    statement: 'ruling 4 / webhook endpoints',
  },
  {
    method: 'PATCH',
    path: '/webhook-endpoints/{webhookEndpointId}',
    statement: 'ruling 4 / webhook endpoints',
  },
  {
    method: 'DELETE',
    path: '/webhook-endpoints/{webhookEndpointId}',
    statement: 'ruling 4 / webhook endpoints',
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/{webhookEndpointId}/test',
    statement: 'ruling 4 / test, deliveries, resend, recover',
  },
  {
    method: 'GET',
    path: '/webhook-endpoints/{webhookEndpointId}/deliveries',
    statement: 'ruling 4 / test, deliveries, resend, recover',
    isList: true,
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/{webhookEndpointId}/recover',
    statement: 'ruling 4 / test, deliveries, resend, recover',
  },
  {
    method: 'POST',
    path: '/webhook-deliveries/{webhookDeliveryId}/resend',
    statement: 'ruling 4 / test, deliveries, resend, recover',
  },
  {
    method: 'POST',
    path: '/sandbox/assessments/{assignmentId}/complete',
    statement: 'additions / what a sandbox can be made to do',
  },
  {
    method: 'POST',
    path: '/sandbox/tokens/expire',
    statement: 'additions / what a sandbox can be made to do',
  },
  { method: 'GET', path: '/sandbox/faults', statement: 'additions / what a sandbox can be made to do' },
  { method: 'POST', path: '/sandbox/faults', statement: 'additions / what a sandbox can be made to do' },
  { method: 'GET', path: '/sandbox/clock', statement: 'additions / what a sandbox can be made to do' },
  { method: 'POST', path: '/sandbox/clock', statement: 'additions / what a sandbox can be made to do' },
  { method: 'DELETE', path: '/sandbox/faults', statement: 'additions / what a sandbox can be made to do' },
  // Newest first, and it grows with every call: no list like the others.
  { method: 'GET', path: '/request-logs', statement: 'additions / request log' },
  { method: 'GET', path: '/templates', statement: 'additions / templates' },
  { method: 'POST', path: '/templates', statement: 'additions / templates' },
  { method: 'GET', path: '/templates/{templateId}', statement: 'additions / templates' },
  { method: 'DELETE', path: '/templates/{templateId}', statement: 'additions / templates' },
  {
    method: 'GET',
    path: '/clinicians/{clinicianId}/writing-preferences',
    statement: 'additions / what a clinician wants of notes',
  },
  {
    method: 'PATCH',
    path: '/clinicians/{clinicianId}/writing-preferences',
    statement: 'additions / what a clinician wants of notes',
  },
]

/**
 * @param {string} path with {names}
 * @param {(name: string) => string} toId
 */
export const fillPath = (path, toId) => path.replaceAll(/\{(\w+)\}/g, (_, name) => toId(name))
