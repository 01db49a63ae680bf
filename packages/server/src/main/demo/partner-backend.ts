import type { Client, ClinicianTokens, PartnerToken } from '@casenote/contract'
import type { SandboxCredentials } from '../sandbox.js'

/** One call of the Partner API: over the network for a partner, inside this process for the demo. */
export type CallPartnerApi = (request: {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: object
}) => Promise<{ status: number; body: unknown }>

/** The partner's own server, as small as it can be: keeps the credentials, mints tokens for its signed-in clinician. */
export interface PartnerBackend {
  listClients(): Promise<Client[]>
  mintTokens(): Promise<ClinicianTokens>
}

/** Asked for anew this long before it ends (contract part 5, rule 1). */
const renewAheadMs = 60_000

export function makePartnerBackend(
  getCredentials: () => SandboxCredentials,
  callApi: CallPartnerApi,
  nowMs: () => number = Date.now,
): PartnerBackend {
  let cached: { accessToken: string; endsAtMs: number } | null = null

  async function getAccessToken(): Promise<string> {
    if (cached !== null && cached.endsAtMs - renewAheadMs > nowMs()) return cached.accessToken
    const { clientId, clientSecret } = getCredentials()
    const { accessToken, expiresIn } = await call<PartnerToken>('POST', '/partners/authenticate', {
      body: { clientId, clientSecret },
    })
    cached = { accessToken, endsAtMs: nowMs() + expiresIn * 1_000 }
    return accessToken
  }

  async function call<Answer>(
    method: 'GET' | 'POST',
    path: string,
    { body, accessToken }: { body?: object; accessToken?: string } = {},
  ): Promise<Answer> {
    const token: Record<string, string> = accessToken === undefined ? {} : { 'access-token': accessToken }
    const headers = { 'x-api-key': getCredentials().apiKey, ...token }
    const answer = await callApi({ method, path, headers, ...(body === undefined ? {} : { body }) })
    if (answer.status !== 200)
      throw new Error(`the Partner API answered ${answer.status} to ${method} ${path}`)
    return answer.body as Answer
  }

  return {
    async listClients() {
      const accessToken = await getAccessToken()
      const path = `/clinicians/${getCredentials().prescriberId}/clients?page=1`
      return (await call<{ data: Client[] }>('GET', path, { accessToken })).data
    },
    async mintTokens() {
      const accessToken = await getAccessToken()
      return call<ClinicianTokens>('POST', `/clinicians/${getCredentials().prescriberId}/authenticate`, {
        accessToken,
      })
    },
  }
}
