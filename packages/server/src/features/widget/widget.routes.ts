import {
  ClinicianTokens,
  RecordingKeys,
  TokenRenewal,
  WidgetClinician,
  WidgetLogout,
} from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import type { WidgetApi } from '../../http/widget-api.js'
import type { ReadAudit } from '../../kernel/audit/index.js'
import type { Clock } from '../../kernel/clock.js'
import type { Database } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import { findClinician } from '../clinicians/index.js'
import { logOut } from './end-session.js'
import { mintTokens } from './mint-tokens.js'
import { listRecordingKeys } from './recording-keys.js'
import { renewTokens } from './renew-tokens.js'
import { findSignedInClinician, type SignedInClinician } from './signed-in-clinician.js'

export interface WidgetParts {
  db: Database
  keys: TenantKeys
  clock: Clock
  reads: ReadAudit
}

/** The partner's side: minting a pair for one clinician. */
export function registerClinicianTokens(api: PartnerApi, { db, keys, clock }: WidgetParts): void {
  api.route({
    operation: 'clinician.authenticate',
    method: 'POST',
    path: '/clinicians/{clinicianId}/authenticate',
    summary: 'Mint a clinician token pair for the widget',
    load: (tenant, { clinicianId }) => findClinician(db, tenant, clinicianId ?? ''),
    answer: { status: 200, schema: ClinicianTokens, description: 'Hand this object to the widget unchanged' },
    audit: 'change',
    handle: async ({ tenant, loaded, actor, requestId }) =>
      mintTokens(db, await keys.get(tenant), loaded.clinicianId, { actor, requestId, nowMs: clock.nowMs() }),
  })
}

/** The browser's side: ours and unpublished (decisions 9). */
export function registerWidget(api: WidgetApi, parts: WidgetParts): void {
  const { db, clock, reads } = parts
  api.route({
    operation: 'widget.renewTokens',
    method: 'POST',
    path: '/token',
    body: TokenRenewal,
    answer: { status: 200, schema: ClinicianTokens },
    handle: ({ body, requestId }) => renewTokens(parts, body, { requestId, nowMs: clock.nowMs() }),
  })
  api.route({
    operation: 'widget.logout',
    method: 'POST',
    path: '/logout',
    body: WidgetLogout,
    answer: { status: 204, schema: null },
    handle: async ({ body, accessToken, requestId }) => {
      const clinician = accessToken === null ? null : await findSignedInClinician(parts, accessToken)
      await logOut(db, { clinician, refreshToken: body.RefreshToken }, requestId)
    },
  })
  api.route({
    operation: 'widget.readClinician',
    method: 'GET',
    path: '/clinician',
    answer: { status: 200, schema: WidgetClinician },
    handle: async ({ accessToken, requestId }) => {
      const { tenant, clinicianId, firstName, lastName, prescriber, defaultNoteType } =
        await requireClinician(parts, accessToken)
      const actor = { kind: 'clinician', id: clinicianId } as const
      await reads.record(tenant, {
        operation: 'widget.readClinician',
        actor,
        requestId,
        subjects: [clinicianId],
      })
      return { id: clinicianId, firstName, lastName, prescriber, defaultNoteType: defaultNoteType ?? 'soap' }
    },
  })
  api.route({
    operation: 'widget.readRecordingKeys',
    method: 'GET',
    path: '/clinician/recording-keys',
    answer: { status: 200, schema: RecordingKeys },
    handle: async ({ accessToken, requestId }) => {
      const { tenant, clinicianId } = await requireClinician(parts, accessToken)
      const actor = { kind: 'clinician', id: clinicianId } as const
      const operation = 'widget.readRecordingKeys'
      await reads.record(tenant, { operation, actor, requestId, subjects: [clinicianId] })
      return listRecordingKeys(await parts.keys.get(tenant), clinicianId)
    },
  })
}

async function requireClinician(parts: WidgetParts, accessToken: string | null): Promise<SignedInClinician> {
  const clinician = accessToken === null ? null : await findSignedInClinician(parts, accessToken)
  if (clinician === null) throw refuse.unauthorized('The access token is missing, expired or revoked')
  return clinician
}
