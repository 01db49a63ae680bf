import { readFileSync } from 'node:fs'
import { buildOpenApi } from '../http/openapi.js'
import type { PartnerApi } from '../http/partner-api.js'
import { ownFile } from '../kernel/own-files.js'
import { registerPartnerApi } from './register-partner-api.js'

/** The OpenAPI document of the routes that were registered. */
export function describeApi(api: PartnerApi): Record<string, unknown> {
  const { version } = JSON.parse(readFileSync(ownFile('package.json'), 'utf8')) as {
    version: string
  }
  return buildOpenApi(api.routes, version)
}

/** For openapi.json. Registering touches none of the parts, so no database is needed to describe the routes. */
export const describePartnerApi = (): Record<string, unknown> =>
  describeApi(registerPartnerApi({} as Parameters<typeof registerPartnerApi>[0]))
