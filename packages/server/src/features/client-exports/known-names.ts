import type { ClinicId, ClinicianId, OrganizationId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findClinician } from '../clinicians/index.js'
import { findOrganization, findUnit } from '../organizations/index.js'
import type { ExportParts } from './export-parts.js'

export interface NamedUnit {
  id: string
  name: string
}

export interface NamedClinic extends NamedUnit {
  organization: NamedUnit
}

export interface NamedClinician {
  id: ClinicianId
  firstName: string
  lastName: string
}

/** Whoever and whatever is named in an export, each asked for once: a client has some. */
export interface KnownNames {
  clinicianOf(clinicianId: ClinicianId): Promise<NamedClinician>
  clinicOf(clinicId: ClinicId, organizationId: OrganizationId): Promise<NamedClinic>
  clinicians(): NamedClinician[]
  clinics(): NamedClinic[]
}

export function makeKnownNames({ db }: Pick<ExportParts, 'db'>, tenant: TenantScope): KnownNames {
  const clinicians = new Map<ClinicianId, NamedClinician>()
  const clinics = new Map<ClinicId, NamedClinic>()
  return {
    clinicianOf: async (clinicianId) => {
      const known = clinicians.get(clinicianId)
      if (known !== undefined) return known
      const row = await findClinician(db, tenant, clinicianId)
      if (row === null) throw new Error('a clinician of a client does not exist')
      // Only the name: the address of a clinician is nothing about the client.
      const named = { id: row.clinicianId, firstName: row.firstName, lastName: row.lastName }
      clinicians.set(clinicianId, named)
      return named
    },
    clinicOf: async (clinicId, organizationId) => {
      const known = clinics.get(clinicId)
      if (known !== undefined) return known
      const [clinic, organization] = await Promise.all([
        findUnit(db, 'clinics', tenant, clinicId),
        findOrganization(db, tenant, organizationId),
      ])
      if (organization === null || clinic === null) throw new Error('a clinic of a client does not exist')
      const named = {
        id: clinic.id,
        name: clinic.name,
        organization: { id: organization.id, name: organization.name },
      }
      clinics.set(clinicId, named)
      return named
    },
    clinicians: () => [...clinicians.values()],
    clinics: () => [...clinics.values()],
  }
}
