import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { inviteConsoleUser } from '../../src/features/console/index.js'
import { makeTotpCode } from '../../src/features/console/totp.js'
import { operator } from '../../src/kernel/operator.js'
import type { OperatorConsole } from '../../src/main/console/operator-console.js'
import { makeTestService, type TestService } from '../support/test-service.js'

export interface ConsoleFixture {
  service: TestService
  admin: OperatorConsole
  /** Of the two ports. */
  apps: Record<'operator' | 'partner', FastifyInstance>
  close(): Promise<void>
}

export async function makeConsoleFixture(env: Record<string, string> = {}): Promise<ConsoleFixture> {
  const service = await makeTestService({ env })
  const admin = service.api.makeOperatorConsole(service.owner)
  return {
    service,
    admin,
    apps: { operator: admin.app, partner: service.api.app },
    close: async () => {
      await admin.close()
      await service.close()
    },
  }
}

/** As the console's own page sends it. */
export const ownPage = { 'x-casenote-console': '1', 'sec-fetch-site': 'same-origin', host: 'localhost' }

export const post = (
  app: FastifyInstance,
  path: string,
  payload: object = {},
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> =>
  app.inject({ method: 'POST', url: `/console/api${path}`, payload, headers: { ...ownPage, ...headers } })

export const get = (
  app: FastifyInstance,
  path: string,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> =>
  app.inject({
    method: 'GET',
    url: `/console/api${path}`,
    headers: { host: 'localhost', ...headers },
  } as InjectOptions)

/** What a browser would send back. */
export const cookieOf = (answer: LightMyRequestResponse): { cookie: string } => ({
  cookie: String(answer.headers['set-cookie']).split(';', 1)[0] ?? '',
})

export const goodPassword = 'correct horse battery'

export function fromBase32(text: string): Buffer {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(text, (letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

export const stepNow = (): number => Math.floor(Date.now() / 30_000)

export async function invite(
  { service }: ConsoleFixture,
  name: string,
  tenantId: string | null,
): Promise<string> {
  const tenant = tenantId === null ? null : { tenantId }
  return (await inviteConsoleUser(service.owner, { name, tenant }, operator)).token
}

/** From the link to a session, by password and code. The code is of the step before: the next one is still good. */
export async function enrol(
  fixture: ConsoleFixture,
  name: string,
  tenantId: string | null,
): Promise<{ cookie: string; secret: Buffer }> {
  const app = fixture.apps[tenantId === null ? 'operator' : 'partner']
  const opened = await post(app, '/link', { token: await invite(fixture, name, tenantId) })
  const link = cookieOf(opened)
  const chosen = await post(app, '/enrol/password', { password: goodPassword }, link)
  const secret = fromBase32(chosen.json<{ secret: string }>().secret)
  const code = makeTotpCode(secret, stepNow() - 1)
  const done = await post(app, '/enrol/totp', { code }, link)
  if (done.statusCode !== 204) throw new Error(`enrolment: ${done.statusCode} ${done.body}`)
  return { ...cookieOf(done), secret }
}
