import { Clinic, Organization, PageOf, PageQuery, Program } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import type { Database } from '../../kernel/db/database.js'
import { findOrganization, findUnit, listOrganizations, listUnits } from './read-organizations.js'

const units = [
  { table: 'clinics', schema: Clinic, noun: 'clinic', idName: 'clinicId' },
  { table: 'programs', schema: Program, noun: 'program', idName: 'programId' },
] as const

export function registerOrganizations(api: PartnerApi, { db }: { db: Database }): void {
  api.route({
    operation: 'organization.list',
    method: 'GET',
    path: '/organizations',
    summary: 'List organizations',
    query: PageQuery,
    answer: {
      status: 200,
      schema: PageOf(Organization),
      description: 'A page of organizations, oldest first',
    },
    audit: 'read',
    handle: ({ tenant, page }) => listOrganizations(db, tenant, page),
  })
  api.route({
    operation: 'organization.read',
    method: 'GET',
    path: '/organizations/{organizationId}',
    summary: 'Read an organization',
    load: (tenant, { organizationId }) => findOrganization(db, tenant, organizationId),
    answer: { status: 200, schema: Organization, description: 'The organization' },
    audit: 'read',
    handle: async ({ loaded }) => loaded,
  })
  for (const { table, schema, noun, idName } of units) {
    api.route({
      operation: `${noun}.list`,
      method: 'GET',
      path: `/organizations/{organizationId}/${table}`,
      summary: `List the ${table} of an organization`,
      load: (tenant, { organizationId }) => findOrganization(db, tenant, organizationId),
      query: PageQuery,
      answer: { status: 200, schema: PageOf(schema), description: `A page of ${table}, oldest first` },
      audit: 'read',
      handle: ({ tenant, loaded, page }) => listUnits(db, table, tenant, { organizationId: loaded.id, page }),
    })
    api.route({
      operation: `${noun}.read`,
      method: 'GET',
      path: `/${table}/{${idName}}`,
      summary: `Read a ${noun}`,
      load: (tenant, params) => findUnit(db, table, tenant, params[idName]),
      answer: { status: 200, schema, description: `The ${noun}` },
      audit: 'read',
      handle: async ({ loaded }) => loaded,
    })
  }
}
