import {
  Client,
  ClientInput,
  ClientPatch,
  ClientTransfer,
  ClinicClientFilters,
  ClinicianClientFilters,
  InvitedClient,
  PageOf,
} from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import type { Clock } from '../../kernel/clock.js'
import type { Database } from '../../kernel/db/database.js'
import { RecentFinds } from '../../kernel/recent-finds.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findClinician, type ClinicianRow } from '../clinicians/index.js'
import { findUnit } from '../organizations/index.js'
import { archiveClient, unarchiveClient } from './archive-client.js'
import { changeClient } from './change-client.js'
import { toClient } from './client-rules.js'
import { createClientAtOnce } from './create-client.js'
import { findClient } from './find-client.js'
import { inviteClient } from './invite-client.js'
import { listClients } from './list-clients.js'
import { registerClientCare } from './client-care.routes.js'
import { transferClient } from './transfer-client.js'

export interface ClientsParts {
  db: Database
  clock: Clock
  publicUrl: string
  keys: TenantKeys
  /** Whether links are sent to clients who have an e-mail address. */
  sendsMail: boolean
}

/** What of a clinician never changes. */
type Parent = Pick<ClinicianRow, 'clinicianId' | 'organizationId'>

const written = {
  400: "Validation failed; every offending field is listed. `programIds` must be programs of the client's organization. A `phoneNumber` without a leading `+` is the plain string `phoneNumber should include calling code`",
  409: 'Where `uniqueExternalIds` is on: `externalId is taken by client …`, with the id of the client that has it',
}
const listed = {
  400: 'Validation failed (`page`, `status`, `dateOfBirth`), or the search for `name` took too long and must be more specific',
}
const pageOfClients = {
  status: 200,
  schema: PageOf(Client),
  description: 'A page of clients, oldest first',
} as const
const theClient = { status: 200, schema: Client, description: 'The client' } as const

export function registerClients(api: PartnerApi, parts: ClientsParts): void {
  const { db } = parts
  const loadClient = (tenant: TenantScope, { clientId }: Record<'clientId', string>) =>
    findClient(db, tenant, clientId)
  const nowMs = (): number => parts.clock.nowMs()
  const clinicians = new RecentFinds<Parent>(nowMs)
  const clinics = new RecentFinds<{ id: string }>(nowMs)
  const loadClinician = (tenant: TenantScope, { clinicianId }: Record<'clinicianId', string>) =>
    clinicians.find(tenant, clinicianId, () => findClinician(db, tenant, clinicianId))
  const loadClinic = (tenant: TenantScope, { clinicId }: Record<'clinicId', string>) =>
    clinics.find(tenant, clinicId, () => findUnit(db, 'clinics', tenant, clinicId))

  api.route({
    operation: 'client.create',
    method: 'POST',
    path: '/clinicians/{clinicianId}/clients',
    summary: 'Create a client',
    load: loadClinician,
    body: ClientInput,
    answer: { status: 201, schema: Client, description: 'The client' },
    rules: written,
    audit: 'change',
    clientOf: ({ id }) => id,
    handle: ({ tenant, loaded, body, actor, requestId }) =>
      createClientAtOnce(db, tenant, loaded, body, {
        source: { actor, requestId },
        isExternalIdUnique: tenant.uniqueExternalIds,
      }),
  })
  api.route({
    operation: 'client.listOfClinician',
    method: 'GET',
    path: '/clinicians/{clinicianId}/clients',
    summary: 'List the clients whom a clinician treats, as primary or as secondary',
    load: loadClinician,
    query: ClinicianClientFilters,
    answer: pageOfClients,
    rules: listed,
    audit: 'read',
    handle: ({ tenant, loaded, query, page }) =>
      listClients(db, tenant, { clinicianId: loaded.clinicianId }, { ...query, page }),
  })
  api.route({
    operation: 'client.list',
    method: 'GET',
    path: '/clinics/{clinicId}/clients',
    summary: 'List the clients of a clinic, archived ones included',
    load: loadClinic,
    query: ClinicClientFilters,
    answer: pageOfClients,
    rules: listed,
    audit: 'read',
    handle: ({ tenant, loaded, query, page }) =>
      listClients(db, tenant, { clinicId: loaded.id }, { ...query, page }),
  })
  api.route({
    operation: 'client.read',
    method: 'GET',
    path: '/clients/{clientId}',
    summary: 'Read a client',
    load: loadClient,
    answer: theClient,
    audit: 'read',
    handle: async ({ loaded }) => toClient(loaded),
  })
  api.route({
    operation: 'client.change',
    method: 'PATCH',
    path: '/clients/{clientId}',
    summary: 'Change a client',
    load: loadClient,
    body: ClientPatch,
    answer: theClient,
    rules: written,
    audit: 'change',
    handle: ({ tenant, loaded, body, actor, requestId }) =>
      changeClient(db, tenant, loaded, body, {
        source: { actor, requestId },
        isExternalIdUnique: tenant.uniqueExternalIds,
      }),
  })
  api.route({
    operation: 'client.archive',
    method: 'POST',
    path: '/clients/{clientId}/archive',
    summary: 'Archive a client; archiving again changes nothing',
    load: loadClient,
    answer: theClient,
    audit: 'change',
    handle: ({ tenant, loaded, actor, requestId }) =>
      db.write(tenant, (tx) => archiveClient(tx, loaded.clientId, { actor, requestId })),
  })
  api.route({
    operation: 'client.unarchive',
    method: 'POST',
    path: '/clients/{clientId}/unarchive',
    summary: 'Give an archived client their earlier status back',
    load: loadClient,
    answer: theClient,
    rules: { 409: 'The client is not archived' },
    audit: 'change',
    handle: ({ tenant, loaded, actor, requestId }) =>
      db.write(tenant, (tx) => unarchiveClient(tx, loaded.clientId, { actor, requestId })),
  })
  api.route({
    operation: 'client.invite',
    method: 'POST',
    path: '/clients/{clientId}/invite',
    summary: 'Invite a client; inviting again replaces the link',
    load: loadClient,
    answer: {
      status: 200,
      schema: InvitedClient,
      description: 'The client, with the link to hand to them; it is good for 14 days',
    },
    rules: {
      400: 'The client has neither `email` nor `phoneNumber`',
      409: 'The status does not allow it: only `awaiting_invite`, `invite_sent` and `declined` do',
    },
    audit: 'change',
    handle: async ({ tenant, loaded, actor, requestId }) => {
      const mailRing = parts.sendsMail ? await parts.keys.get(tenant) : null
      const options = { publicUrl: parts.publicUrl, mailRing }
      return db.write(tenant, (tx) => inviteClient(tx, loaded.clientId, options, { actor, requestId }))
    },
  })
  api.route({
    operation: 'client.transfer',
    method: 'POST',
    path: '/clients/{clientId}/transfer',
    summary: 'Transfer a client, archived or not, to another primary clinician',
    load: loadClient,
    body: ClientTransfer,
    answer: theClient,
    rules: {
      400: "Validation failed, or `clinicianId` is no clinician of the client's organization",
      409: 'The client already has this clinician',
    },
    audit: 'change',
    handle: ({ tenant, loaded, body, actor, requestId }) =>
      db.write(tenant, (tx) => transferClient(tx, loaded.clientId, body.clinicianId, { actor, requestId })),
  })
  registerClientCare(api, db)
}
