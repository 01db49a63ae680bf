import type { Client, Clinician, Page } from '@casenote/contract'
import { createClinician } from '../../src/features/clinicians/index.js'
import { provisionOrganization, provisionUnit } from '../../src/features/organizations/index.js'
import { operator } from '../../src/kernel/operator.js'
import type { TestPartner, TestService } from '../support/test-service.js'

interface Answered {
  status: number
  body: unknown
}

export interface Caller {
  get(path: string): Promise<Answered>
  post(path: string, payload?: unknown): Promise<Answered>
  patch(path: string, payload: unknown): Promise<Answered>
  remove(path: string): Promise<Answered>
  createClient(fields?: object, clinicianId?: string): Promise<Client>
  createClinician(fields?: object, clinicId?: string): Promise<Clinician>
  list(path: string): Promise<Page<Client>>
}

let made = 0

/** What a partner's backend does, with both headers. */
export function makeCaller(service: TestService, partner: TestPartner): Caller {
  const call = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    payload?: unknown,
  ): Promise<Answered> => {
    const answer = await service.ask(partner, method, path, payload as object | undefined)
    return { status: answer.statusCode, body: answer.body === '' ? null : answer.json<unknown>() }
  }
  const create = async (path: string, payload: object): Promise<unknown> => {
    const { status, body } = await call('POST', path, payload)
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  return {
    get: (path) => call('GET', path),
    post: (path, payload) => call('POST', path, payload),
    patch: (path, payload) => call('PATCH', path, payload),
    remove: (path) => call('DELETE', path),
    createClient: async (fields = {}, clinicianId = partner.clinicianId) =>
      (await create(`/clinicians/${clinicianId}/clients`, {
        lastName: 'Sample',
        dateOfBirth: '1990-01-31',
        ...fields,
      })) as Client,
    createClinician: async (fields = {}, clinicId = partner.clinicId) =>
      (await create(`/clinics/${clinicId}/clinicians`, {
        firstName: 'Cleo',
        lastName: 'Clinician',
        email: `clinician-${(made += 1)}@example.com`,
        ...fields,
      })) as Clinician,
    list: async (path) => (await call('GET', path)).body as Page<Client>,
  }
}

/** What only the operator can add: another clinic, and another organization of the same partner. */
export async function provisionMore(service: TestService, partner: TestPartner) {
  return service.owner.write({ tenantId: partner.partnerId }, async (tx) => {
    const { organizationId } = partner
    const clinicId = await provisionUnit(tx, 'clinics', { organizationId, name: 'Second clinic' })
    const programId = await provisionUnit(tx, 'programs', { organizationId, name: 'Second program' })
    const foreign = { organizationId: await provisionOrganization(tx, 'Other organization') }
    const foreignClinicId = await provisionUnit(tx, 'clinics', { ...foreign, name: 'Other clinic' })
    const foreignProgramId = await provisionUnit(tx, 'programs', { ...foreign, name: 'Other program' })
    const foreignClinicianId = await createClinician(
      tx,
      {
        clinicId: foreignClinicId,
        firstName: 'Other',
        lastName: 'Clinician',
        email: 'other@example.com',
        externalId: null,
        prescriber: false,
        defaultNoteType: null,
      },
      operator,
    )
    return { clinicId, programId, foreignClinicId, foreignProgramId, foreignClinicianId }
  })
}

/** The list form of a 400 (ruling 1, step 7). */
export const invalid = (...message: string[]) => ({
  status: 400,
  body: { error: { message: { message, error: 'Bad Request', statusCode: 400 }, statusCode: 400 } },
})

/** The plain-string form of step 8. */
export const refused = (status: number, message: string) => ({
  status,
  body: { error: { message, statusCode: status, details: [] } },
})
