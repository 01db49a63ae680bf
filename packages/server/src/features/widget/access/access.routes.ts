import { Clinician } from '@casenote/contract'
import type { PartnerApi } from '../../../http/partner-api.js'
import type { ChangeSource } from '../../../kernel/audit/index.js'
import type { Database, Tx } from '../../../kernel/db/database.js'
import type { ClinicianId } from '../../../kernel/ids.js'
import type { TenantScope } from '../../../kernel/tenant.js'
import { findClinician, toClinician } from '../../clinicians/index.js'
import { deactivateClinician, endWidgetSessions, reactivateClinician } from './change-access.js'

/** Cutting a clinician off, letting them in again, and ending what is open. */
export function registerClinicianAccess(api: PartnerApi, { db }: { db: Database }): void {
  const load = (tenant: TenantScope, { clinicianId }: Record<'clinicianId', string>) =>
    findClinician(db, tenant, clinicianId)
  const change = async (
    tenant: TenantScope,
    clinicianId: ClinicianId,
    act: (tx: Tx, clinicianId: ClinicianId, source: ChangeSource) => Promise<void>,
    source: ChangeSource,
  ): Promise<Clinician> => {
    await db.write(tenant, (tx) => act(tx, clinicianId, source))
    const row = await findClinician(db, tenant, clinicianId)
    if (row === null) throw new Error('a clinician that was just changed is gone')
    return toClinician(row)
  }
  api.route({
    operation: 'clinician.deactivate',
    method: 'POST',
    path: '/clinicians/{clinicianId}/deactivate',
    summary: 'Cut a clinician off',
    description:
      'Ends all widget sessions of the clinician within 5 seconds, open streams and uploads included; ' +
      '`authenticate` and new sessions for them are refused with 409. They stay listed, with `active` false, and so do ' +
      'their clients and notes: transfer the clients, and whoever then treats them can edit and sign. What had arrived of a ' +
      'recording becomes a note. Repeating the call changes nothing.',
    load,
    answer: { status: 200, schema: Clinician, description: 'The clinician' },
    audit: 'change',
    handle: ({ tenant, loaded, actor, requestId }) =>
      change(tenant, loaded.clinicianId, deactivateClinician, { actor, requestId }),
  })
  api.route({
    operation: 'clinician.reactivate',
    method: 'POST',
    path: '/clinicians/{clinicianId}/reactivate',
    summary: 'Let a deactivated clinician in again',
    description:
      'Widget sessions that ended stay ended: mint a new token pair. What a browser still holds of a recording is sent after ' +
      'the next sign-in there. Repeating the call changes nothing.',
    load,
    answer: { status: 200, schema: Clinician, description: 'The clinician' },
    audit: 'change',
    handle: ({ tenant, loaded, actor, requestId }) =>
      change(tenant, loaded.clinicianId, reactivateClinician, { actor, requestId }),
  })
  api.route({
    operation: 'clinician.endWidgetSessions',
    method: 'POST',
    path: '/clinicians/{clinicianId}/end-widget-sessions',
    summary: 'End all widget sessions of a clinician',
    description:
      'For a lost device: within 5 seconds every token pair of the clinician is refused, open streams and uploads included. ' +
      'The clinician stays active: mint a new token pair, and a recording goes on where it stood.',
    load,
    answer: { status: 200, schema: Clinician, description: 'The clinician' },
    audit: 'change',
    handle: ({ tenant, loaded, actor, requestId }) =>
      change(tenant, loaded.clinicianId, endWidgetSessions, { actor, requestId }),
  })
}
