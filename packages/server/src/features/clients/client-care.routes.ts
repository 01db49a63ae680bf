import {
  Clinician,
  PageOf,
  PageQuery,
  Program,
  SecondaryClinicians,
  SecondaryCliniciansInput,
} from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import type { Database } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findClinician } from '../clinicians/index.js'
import { assignSecondaryClinicians, removeSecondaryClinician } from './assign-secondary-clinicians.js'
import { findClient } from './find-client.js'
import { listProgramsOfClient, listSecondaryClinicians } from './list-client-care.js'

/** Who else treats a client, and in which programs they are. */
export function registerClientCare(api: PartnerApi, db: Database): void {
  const loadClient = (tenant: TenantScope, { clientId }: Record<'clientId', string>) =>
    findClient(db, tenant, clientId)

  api.route({
    operation: 'client.assignSecondaryClinicians',
    method: 'POST',
    path: '/clients/{clientId}/secondary-clinicians',
    summary: 'Assign secondary clinicians; who is assigned or primary already is skipped; safe to retry',
    load: loadClient,
    body: SecondaryCliniciansInput,
    answer: { status: 200, schema: SecondaryClinicians, description: 'All who are assigned now' },
    rules: {
      400: "Validation failed, or one of `clinicianIds` is no clinician of the client's organization; nobody is assigned then",
    },
    audit: 'change',
    handle: ({ tenant, loaded, body, actor, requestId }) =>
      db.write(tenant, (tx) =>
        assignSecondaryClinicians(tx, loaded.clientId, body.clinicianIds, { actor, requestId }),
      ),
  })
  api.route({
    operation: 'client.listSecondaryClinicians',
    method: 'GET',
    path: '/clients/{clientId}/secondary-clinicians',
    summary: 'List the secondary clinicians of a client',
    load: loadClient,
    query: PageQuery,
    answer: {
      status: 200,
      schema: PageOf(Clinician),
      description: 'A page of clinicians, in the order of assignment',
    },
    audit: 'read',
    handle: ({ tenant, loaded, page }) => listSecondaryClinicians(db, tenant, loaded.clientId, page),
  })
  api.route({
    operation: 'client.removeSecondaryClinician',
    method: 'DELETE',
    path: '/clients/{clientId}/secondary-clinicians/{clinicianId}',
    summary: 'Remove a secondary clinician; removing again changes nothing',
    load: async (tenant, { clientId, clinicianId }) => {
      const [client, clinician] = await Promise.all([
        findClient(db, tenant, clientId),
        findClinician(db, tenant, clinicianId),
      ])
      return client === null || clinician === null ? null : { client, clinician }
    },
    answer: { status: 204, schema: null, description: 'Not assigned any more' },
    audit: 'change',
    handle: ({ tenant, loaded: { client, clinician }, actor, requestId }) =>
      db.write(tenant, (tx) =>
        removeSecondaryClinician(tx, client.clientId, clinician.clinicianId, { actor, requestId }),
      ),
  })
  api.route({
    operation: 'client.listPrograms',
    method: 'GET',
    path: '/clients/{clientId}/programs',
    summary: 'List the programs of a client',
    load: loadClient,
    query: PageQuery,
    answer: { status: 200, schema: PageOf(Program), description: 'A page of programs, in the order given' },
    audit: 'read',
    handle: ({ tenant, loaded, page }) => listProgramsOfClient(db, tenant, loaded.clientId, page),
  })
}
