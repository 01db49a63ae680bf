import type { Clinician } from '@casenote/contract'
import { addText } from '../../src/features/consents/index.js'
import { provisionUnit } from '../../src/features/organizations/index.js'
import { operator } from '../../src/kernel/operator.js'
import type { TestPartner, TestService } from './test-service.js'

/** Of two clinics of one organization, which have different words under one name. */
export interface SameVersion {
  version: string
  /** Of the partner's own clinic. */
  here: { textId: string; body: string }
  there: { textId: string; body: string; clinicianId: string }
  /** A client of `here` becomes one of `there`. */
  transfer: (clientId: string) => Promise<void>
}

export async function addSameVersion(
  service: TestService,
  partner: TestPartner,
  version: string,
): Promise<SameVersion> {
  const tenant = { tenantId: partner.partnerId }
  const { organizationId, clinicId: hereId } = partner
  const thereId = await service.owner.write(tenant, (tx) =>
    provisionUnit(tx, 'clinics', { organizationId, name: `Clinic of ${version}` }),
  )
  const add = async (clinicId: string, body: string) => ({
    body,
    textId: await service.owner.write(tenant, (tx) =>
      addText(tx, operator, { organizationId: null, clinicId, language: 'en', version, body }),
    ),
  })
  const name = { firstName: 'Ada', lastName: 'Elsewhere', email: `${version}@example.com` }
  const made = await service.ask(partner, 'POST', `/clinics/${thereId}/clinicians`, name)
  const { id: clinicianId } = made.json<Clinician>()
  return {
    version,
    here: await add(hereId, `The words of here, ${version}.`),
    there: { ...(await add(thereId, `The words of there, ${version}.`)), clinicianId },
    transfer: async (clientId) => {
      const moved = await service.ask(partner, 'POST', `/clients/${clientId}/transfer`, { clinicianId })
      if (moved.statusCode !== 200) throw new Error(`not transferred: ${moved.body}`)
    },
  }
}
