import { randomUUID } from 'node:crypto'
import type { ClinicianTokens, WidgetSession } from '@casenote/contract'
import type { LightMyRequestResponse } from 'fastify'
import { createClient } from '../../src/features/clients/index.js'
import { createClinician } from '../../src/features/clinicians/index.js'
import { selectUploadsOfSession, type UploadRow } from '../../src/features/widget/index.js'
import { openBlob } from '../../src/kernel/blobs/index.js'
import { operator } from '../../src/kernel/operator.js'
import type { TenantScope } from '../../src/kernel/tenant.js'
import type { TestPartner, TestService } from '../support/test-service.js'

export interface SignedIn {
  clinicianId: string
  tokens: ClinicianTokens
  headers: { authorization: string }
  call(
    method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    payload?: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>
}

/** A clinician with tokens, as the frame uses them. */
export async function signIn(
  service: TestService,
  partner: TestPartner,
  clinicianId = partner.clinicianId,
): Promise<SignedIn> {
  const answer = await service.call({
    method: 'POST',
    url: `/v2/clinicians/${clinicianId}/authenticate`,
    headers: partner.headers,
  })
  const tokens = answer.json<ClinicianTokens>()
  const headers = { authorization: `Bearer ${tokens.AccessToken}` }
  return {
    clinicianId,
    tokens,
    headers,
    call: (method, path, payload, more = {}) =>
      service.call({
        method,
        url: `/widget/v1${path}`,
        headers: { ...headers, ...more },
        ...(payload === undefined ? {} : { payload: payload as object }),
      }),
  }
}

let made = 0

/** Another clinician of the same clinic, with a client of their own. */
export const addColleague = (
  service: TestService,
  partner: TestPartner,
): Promise<{ clinicianId: string; clientId: string }> =>
  service.owner.write({ tenantId: partner.partnerId }, async (tx) => {
    made += 1
    const clinicianId = await createClinician(
      tx,
      {
        clinicId: partner.clinicId,
        firstName: 'Cora',
        lastName: 'Colleague',
        email: `colleague-${made}@example.com`,
        externalId: null,
        prescriber: false,
        defaultNoteType: null,
      },
      operator,
    )
    const person = { firstName: 'Robin', lastName: `Other${made}`, dateOfBirth: '1985-05-05' }
    const contact = { email: null, phoneNumber: null, externalId: null }
    const clientId = await createClient(tx, { ...person, ...contact, clinicianId }, operator)
    return { clinicianId, clientId }
  })

export const giveConsent = (clinician: SignedIn, clientId: string) =>
  clinician.call('POST', `/clients/${clientId}/consent`, { textVersion: '2026-11', given: true })

/** A session that waits for its recording. */
export async function openRecording(
  clinician: SignedIn,
  clientId: string,
  given: object = {},
): Promise<WidgetSession> {
  await giveConsent(clinician, clientId)
  const answer = await clinician.call('POST', `/clients/${clientId}/sessions`, {
    recordingId: randomUUID(),
    ...given,
  })
  if (answer.statusCode !== 201) throw new Error(`no session: ${answer.statusCode} ${answer.body}`)
  return answer.json<WidgetSession>()
}

const encode = (text: string): string => Buffer.from(text).toString('base64')

export const creationHeaders = (
  uploadId: string,
  { segment = 0, lengthBytes }: { segment?: number; lengthBytes?: number } = {},
): Record<string, string> => ({
  'tus-resumable': '1.0.0',
  'upload-metadata': `mimeType ${encode('audio/webm;codecs=opus')},segment ${encode(String(segment))},uploadId ${encode(uploadId)}`,
  ...(lengthBytes === undefined ? { 'upload-defer-length': '1' } : { 'upload-length': String(lengthBytes) }),
})

export const patchHeaders = (offsetBytes: number, lengthBytes?: number): Record<string, string> => ({
  'tus-resumable': '1.0.0',
  'content-type': 'application/offset+octet-stream',
  'upload-offset': String(offsetBytes),
  ...(lengthBytes === undefined ? {} : { 'upload-length': String(lengthBytes) }),
})

/** One whole segment. */
export async function uploadSegment(
  clinician: SignedIn,
  sessionId: string,
  bytes: Buffer,
  segment = 0,
): Promise<string> {
  const uploadId = randomUUID()
  const created = await clinician.call(
    'POST',
    `/sessions/${sessionId}/uploads`,
    undefined,
    creationHeaders(uploadId, { segment }),
  )
  if (created.statusCode !== 201) throw new Error(`no upload: ${created.statusCode} ${created.body}`)
  const sent = await clinician.call('PATCH', `/uploads/${uploadId}`, bytes, patchHeaders(0, bytes.length))
  if (sent.statusCode !== 204) throw new Error(`no bytes: ${sent.statusCode} ${sent.body}`)
  return uploadId
}

export const listUploads = (
  { db }: Pick<TestService, 'db'>,
  tenant: TenantScope,
  sessionId: string,
): Promise<UploadRow[]> => db.read(tenant, selectUploadsOfSession(tenant, sessionId))

/** The bytes of each segment that a recording was made of. */
export async function readStored(
  service: Pick<TestService, 'db' | 'blobs'>,
  tenant: TenantScope,
  sessionId: string,
): Promise<Buffer[]> {
  const used = (await listUploads(service, tenant, sessionId)).filter(({ status }) => status === 'used')
  return Promise.all(
    used.map(async ({ blobId }) => {
      const pieces: Buffer[] = []
      for await (const piece of await openBlob(service.blobs, tenant, blobId)) pieces.push(piece as Buffer)
      return Buffer.concat(pieces)
    }),
  )
}
