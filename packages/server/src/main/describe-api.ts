import { readFileSync } from 'node:fs'
import { buildOpenApi } from '../http/openapi.js'
import { registerPartnerApi } from './api.js'

/** The OpenAPI document. Registering touches none of the parts, so no database is needed to describe the routes. */
export function describePartnerApi(): Record<string, unknown> {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return buildOpenApi(registerPartnerApi({} as Parameters<typeof registerPartnerApi>[0]).routes, version)
}
