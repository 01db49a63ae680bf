import { registerOrganizations } from '../features/organizations/index.js'
import { registerPartners } from '../features/partners/index.js'
import { registerClinicianTokens, type WidgetParts } from '../features/widget/index.js'
import { PartnerApi } from '../http/partner-api.js'

/** Every feature of the Partner API, in the order of the reference. */
export function registerPartnerApi(parts: WidgetParts): PartnerApi {
  const api = new PartnerApi()
  registerPartners(api, parts)
  registerOrganizations(api, parts)
  registerClinicianTokens(api, parts)
  return api
}
