import type { ClinicianId, WidgetSessionId } from '../kernel/ids.js'
import type { TenantScope } from '../kernel/tenant.js'

/** Whom an access token acts for. */
export interface WidgetCaller {
  tenant: TenantScope
  clinicianId: ClinicianId
  widgetSessionId: WidgetSessionId
  /** When the token expires. */
  expiresAtMs: number
  /** The version of the key that signed the token. */
  tokenKeyVersion: number
}
