import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyPartnerRoute } from '../../src/http/partner-route.js'
import { registerPartnerApi } from '../../src/main/register-partner-api.js'
import { ownIdOf } from '../support/own-id.js'
import { openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

/** Every body of every route, by its own schema: a new field or route is tried without anyone adding it here. */
const routes = registerPartnerApi({} as Parameters<typeof registerPartnerApi>[0]).routes.filter(
  (route) => route.body !== undefined,
)

interface Rule {
  type?: string | readonly string[]
  anyOf?: readonly Rule[]
  enum?: readonly unknown[]
  maxLength?: number
}

let service: TestService
let superuser: pg.Client

beforeAll(async () => {
  service = await makeTestService()
  superuser = await openSuperuser(service.database)
})
afterAll(async () => {
  await superuser.end()
  await service.close()
})

const send = (partner: TestPartner, route: AnyPartnerRoute, payload: object) =>
  service.call({
    method: route.method,
    url: `/v2${route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ownIdOf(partner, route.path, name))}`,
    headers: partner.headers,
    payload,
  })

/** Fields named by the list form, whatever stands behind the dot or before the field. */
function namedFields(answer: { json(): unknown }): string[] {
  const { error } = answer.json() as { error: { message: { message?: string[] } | string } }
  const messages = typeof error.message === 'string' ? [error.message] : (error.message.message ?? [])
  return messages.map((text) => text.replace(/^each value in /, '').split(/[ .]/, 1)[0] ?? '')
}

/** How many rows each table has; what counts requests and reads is apart. */
async function countRows(): Promise<unknown> {
  const { rows } = await superuser.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'casenote'
       and table_name not like 'audit%' and table_name not in ('limit_buckets', 'request_logs', 'request_days')
       order by 1`,
  )
  const counts: Record<string, unknown> = {}
  for (const { name } of rows) {
    counts[name] = (
      await superuser.query(
        `select count(*)::int, md5(string_agg(t::text, '' order by t::text)) from casenote.${name} t`,
      )
    ).rows[0]
  }
  return counts
}

const isText = (rule: Rule): boolean =>
  [rule, ...(rule.anyOf ?? [])].some(({ type }) => type?.includes('string') === true)

for (const route of routes) {
  describe(route.operation, () => {
    const fields = Object.entries((route.body?.properties ?? {}) as Record<string, Rule>)
    const required = (route.body?.required ?? []) as readonly string[]

    it('names every field of a wrong type at once, and writes nothing', async () => {
      const partner = await service.addPartner()
      const before = await countRows()
      const wrong = Object.fromEntries(
        fields.map(([name, rule]) => [name, isText(rule) ? { not: 'text' } : 'not that']),
      )
      const answer = await send(partner, route, wrong)
      expect(answer.statusCode).toBe(400)
      expect([...new Set(namedFields(answer))].toSorted()).toEqual(fields.map(([name]) => name).toSorted())
      expect(await countRows()).toEqual(before)
    })

    it('names every required field that is missing, null or empty', async () => {
      const partner = await service.addPartner()
      for (const value of [undefined, null, '']) {
        const body = Object.fromEntries(required.map((name) => [name, value]))
        const answer = await send(partner, route, body)
        if (required.length === 0) continue
        expect([value, answer.statusCode]).toEqual([value, 400])
        expect([value, ...namedFields(answer)]).toEqual([value, ...required])
      }
    })

    it('names every text that is too long', async () => {
      const partner = await service.addPartner()
      const long = fields.filter(([, rule]) => isText(rule) && rule.enum === undefined)
      const body = Object.fromEntries(long.map(([name]) => [name, 'x'.repeat(100_000)]))
      const answer = await send(partner, route, body)
      if (long.length === 0) return
      expect(answer.statusCode).toBe(400)
      for (const [name] of long) expect(namedFields(answer)).toContain(name)
    })
  })
}
