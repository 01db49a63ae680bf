import {
  ClinicianTokens,
  RecordingKeys,
  TokenRenewal,
  WidgetClinician,
  WidgetLogout,
} from '@casenote/contract'
import { Type } from 'typebox'
import type { PartnerApi } from '../../../http/partner-api.js'
import { AddressLimits } from '../../../http/address-limits.js'
import type { WidgetApi } from '../../../http/widget-api.js'
import { refuse } from '../../../kernel/refuse.js'
import { findClinician } from '../../clinicians/index.js'
import { readRefreshTenant } from './clinician-tokens.js'
import { logOut } from './end-session.js'
import { mintTokens } from './mint-tokens.js'
import { listRecordingKeys } from './recording-keys.js'
import { renewTokens } from './renew-tokens.js'
import { findSignedInClinician, type SignedInClinician } from './signed-in-clinician.js'
import type { TokenParts } from './token-parts.js'

/** The partner's side: minting a pair for one clinician. */
export function registerClinicianTokens(
  api: PartnerApi,
  { db, keys, clock }: Omit<TokenParts, 'keysFor' | 'hasModel' | 'languages'>,
): void {
  api.route({
    operation: 'clinician.authenticate',
    method: 'POST',
    path: '/clinicians/{clinicianId}/authenticate',
    summary: 'Mint a clinician token pair for the widget',
    load: (tenant, { clinicianId }) => findClinician(db, tenant, clinicianId),
    answer: { status: 200, schema: ClinicianTokens, description: 'Hand this object to the widget unchanged' },
    rules: { 409: 'Clinician is deactivated' },
    audit: 'change',
    onceByKey: false,
    handle: async ({ tenant, loaded, actor, requestId }) =>
      mintTokens(db, tenant, await keys.get(tenant), loaded.clinicianId, {
        actor,
        requestId,
        nowMs: clock.nowMs(),
        operation: 'clinician.authenticate',
      }),
  })
}

/** The browser's side (ruling 9). */
export function registerTokens(api: WidgetApi, parts: TokenParts): void {
  const { keys, clock } = parts
  const limits = new AddressLimits(clock)
  api.open({
    operation: 'widget.renewTokens',
    method: 'POST',
    path: '/token',
    body: TokenRenewal,
    answer: { status: 200, schema: ClinicianTokens },
    handle: async ({ body, address, requestId, suspect }) => {
      const asked = { ...parts, keys: parts.keysFor(address) }
      const { result, isSentAway } = await limits.guard(address, () =>
        renewTokens(asked, body, { requestId, address, suspect, nowMs: clock.nowMs() }),
      )
      if (isSentAway) throw refuseTurn()
      // One text for unknown, expired, revoked and replayed: a thief learns nothing from it.
      if (result === null)
        throw refuse.unauthorized(
          'refresh_token_rejected',
          'RefreshToken is not accepted; authenticate the clinician again',
        )
      return result
    },
  })
  api.open({
    operation: 'widget.logout',
    method: 'POST',
    path: '/logout',
    body: WidgetLogout,
    answer: { status: 204, schema: null },
    handle: async ({ body, bearer: accessToken, address, requestId, suspect }) => {
      const tenant = body.RefreshToken === undefined ? null : readRefreshTenant(body.RefreshToken)
      if (tenant !== null) suspect({ tenant, actor: { kind: 'clinician', id: null } })
      const asked = { ...parts, keys: parts.keysFor(address) }
      const { result, isSentAway } = await limits.guard(address, async () => {
        const clinician = accessToken === null ? null : await findSignedInClinician(asked, accessToken)
        return logOut(parts, { clinician, refreshToken: body.RefreshToken }, { requestId, address })
      })
      if (isSentAway) throw refuseTurn()
      if (result === null)
        throw refuse.unauthorized('widget_token_invalid', 'A valid access token or RefreshToken is needed')
    },
  })
  api.route({
    operation: 'widget.readClinician',
    method: 'GET',
    path: '/clinician',
    query: Type.Object({ origin: Type.Optional(Type.String({ maxLength: 300 })) }),
    answer: { status: 200, schema: WidgetClinician },
    audit: 'read',
    handle: async ({ caller, query }) => {
      const clinician = caller as SignedInClinician
      requireOrigin(clinician.embeddingOrigins, query.origin)
      const { clinicianId, firstName, lastName, prescriber, defaultNoteType } = clinician
      return {
        id: clinicianId,
        firstName,
        lastName,
        prescriber,
        defaultNoteType: defaultNoteType ?? 'soap',
        hasModel: parts.hasModel,
        languages: [...parts.languages],
        idleMinutes: parts.widget.idleMinutes,
        supervisor: readSupervisor(clinician),
      }
    },
  })
  api.route({
    operation: 'widget.readRecordingKeys',
    method: 'GET',
    path: '/clinician/recording-keys',
    answer: { status: 200, schema: RecordingKeys },
    audit: 'read',
    handle: async ({ caller: { tenant, clinicianId } }) =>
      listRecordingKeys(await keys.get(tenant), clinicianId),
  })
}

const readSupervisor = ({
  supervisorName,
  isSupervisorActive,
}: SignedInClinician): WidgetClinician['supervisor'] =>
  supervisorName === null ? null : { name: supervisorName, isActive: isSupervisorActive }

/** Says nothing of the token: one that is good must not be taken for a bad one because others guess. */
const refuseTurn = () => refuse.tooMany('too_many_tries', 'Too many tries from this address', 1)

/** The page that embeds the widget, where `?partner=` did not name the tenant for `frame-ancestors`. Null: any page. */
function requireOrigin(allowed: readonly string[] | null, origin: string | undefined): void {
  if (allowed === null || (origin !== undefined && allowed.includes(origin))) return
  throw refuse.forbidden(
    'origin_not_allowed',
    'The page that embeds the widget is not one of the allowed origins',
  )
}
