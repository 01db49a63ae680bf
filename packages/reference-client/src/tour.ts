// What a partner developer writes with a client that was generated from openapi.json: it must compile and work.
import createClient from 'openapi-fetch'
import type { paths } from './generated.js'

const [baseUrl = '', apiKey = '', clientId = '', clientSecret = ''] = process.argv.slice(2)

const anonymous = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey } })
const authenticated = await anonymous.POST('/partners/authenticate', { body: { clientId, clientSecret } })
if (authenticated.data === undefined) throw new Error('no token')
const accessToken: string = authenticated.data.accessToken

const api = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey, 'Access-Token': accessToken } })
const partner = await api.GET('/partners')
const page = await api.GET('/organizations', { params: { query: { page: 1 } } })
const first = page.data?.data[0]
if (partner.data === undefined || first === undefined) throw new Error('nothing to read')
const organization = await api.GET('/organizations/{organizationId}', {
  params: { path: { organizationId: first.id } },
})
const missing = await api.GET('/clinics/{clinicId}', {
  params: { path: { clinicId: '00000000-0000-4000-8000-000000000000' } },
})
const status: number | undefined =
  missing.error && 'error' in missing.error ? missing.error.error.statusCode : undefined
process.stdout.write(
  JSON.stringify({ environment: partner.data.environment, name: organization.data?.name, missing: status }),
)
