import { Clinician, ClinicianFilters, ClinicianInput, ClinicianPatch, PageOf } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import type { ClinicianId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findUnit } from '../organizations/index.js'
import { changeClinician } from './change-clinician.js'
import { refuseTakenEmail } from './clinician-rules.js'
import { selectClinician } from './clinicians.sql.js'
import { createClinician } from './create-clinician.js'
import { findClinician, listClinicians, toClinician } from './find-clinician.js'

const rules = {
  400: 'Validation failed; every offending field is listed. A prescriber note type for a clinician who is no prescriber names `defaultNoteType`; a supervisor who is not another active clinician names `supervisorId`',
  409: 'A clinician with this email already exists; case does not count. Where `uniqueExternalIds` is on, also `externalId is taken by clinician …`, with the id of the clinician who has it',
}

export function registerClinicians(api: PartnerApi, { db }: { db: Database }): void {
  const loadClinic = (tenant: TenantScope, { clinicId }: Record<'clinicId', string>) =>
    findUnit(db, 'clinics', tenant, clinicId)
  const loadClinician = (tenant: TenantScope, { clinicianId }: Record<'clinicianId', string>) =>
    findClinician(db, tenant, clinicianId)

  api.route({
    operation: 'clinician.create',
    method: 'POST',
    path: '/clinics/{clinicId}/clinicians',
    summary: 'Create a clinician',
    load: loadClinic,
    body: ClinicianInput,
    answer: { status: 201, schema: Clinician, description: 'The clinician' },
    rules,
    audit: 'change',
    handle: ({ tenant, loaded, body, actor, requestId }) =>
      refuseTakenEmail(() =>
        db.write(tenant, async (tx) => {
          const { externalId = null, prescriber = false, defaultNoteType = null, ...named } = body
          const clinician = { ...named, externalId, prescriber, defaultNoteType, clinicId: loaded.id }
          const options = { isExternalIdUnique: tenant.uniqueExternalIds }
          return readBack(tx, await createClinician(tx, clinician, { actor, requestId }, options))
        }),
      ),
  })
  api.route({
    operation: 'clinician.list',
    method: 'GET',
    path: '/clinics/{clinicId}/clinicians',
    summary: 'List the clinicians of a clinic',
    load: loadClinic,
    query: ClinicianFilters,
    answer: { status: 200, schema: PageOf(Clinician), description: 'A page of clinicians, oldest first' },
    audit: 'read',
    handle: ({ tenant, loaded, query, page }) => listClinicians(db, tenant, loaded.id, { ...query, page }),
  })
  api.route({
    operation: 'clinician.read',
    method: 'GET',
    path: '/clinicians/{clinicianId}',
    summary: 'Read a clinician',
    load: loadClinician,
    answer: { status: 200, schema: Clinician, description: 'The clinician' },
    audit: 'read',
    handle: async ({ loaded }) => toClinician(loaded),
  })
  api.route({
    operation: 'clinician.change',
    method: 'PATCH',
    path: '/clinicians/{clinicianId}',
    summary: 'Change a clinician',
    load: loadClinician,
    body: ClinicianPatch,
    answer: { status: 200, schema: Clinician, description: 'The clinician' },
    rules,
    audit: 'change',
    handle: ({ tenant, loaded, body, actor, requestId }) =>
      refuseTakenEmail(() =>
        db.write(tenant, async (tx) => {
          const options = { source: { actor, requestId }, isExternalIdUnique: tenant.uniqueExternalIds }
          return toClinician(await changeClinician(tx, loaded.clinicianId, body, options))
        }),
      ),
  })
}

async function readBack(tx: Tx, clinicianId: ClinicianId): Promise<Clinician> {
  const [row] = await tx.run(selectClinician(tx.tenant, clinicianId))
  if (row === undefined) throw new Error('a clinician that was just written is gone')
  return toClinician(row)
}
