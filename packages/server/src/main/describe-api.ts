import { buildOpenApi } from '../http/openapi.js'
import type { PartnerApi } from '../http/partner-api.js'
import { readOwnVersion } from '../kernel/own-files.js'
import { registerPartnerApi } from './register-partner-api.js'

/** The OpenAPI document of the routes that were registered. */
export const describeApi = (api: PartnerApi): Record<string, unknown> =>
  buildOpenApi(api.routes, readOwnVersion())

/** For openapi.json. Registering touches none of the parts, so no database is needed to describe the routes. */
export const describePartnerApi = (): Record<string, unknown> =>
  describeApi(registerPartnerApi({} as Parameters<typeof registerPartnerApi>[0]))
