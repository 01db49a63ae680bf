import type { ClinicianId, WidgetSessionId } from '../kernel/ids.js'
import type { TenantScope } from '../kernel/tenant.js'

/** Whom an access token acts for. */
export interface WidgetCaller {
  tenant: TenantScope
  clinicianId: ClinicianId
  widgetSessionId: WidgetSessionId
  /** Of the token. */
  expiresAtMs: number
  /** Of the key that signed the token. */
  tokenKeyVersion: number
}
