import { randomUUID } from 'node:crypto'
import type { Client, Page } from '@casenote/contract'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setNothingTwice } from '../../src/features/partners/index.js'
import { makeDataFolder, startCasenote, waitUntil } from '../support/casenote-process.js'
import { isWaitingForLock, openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

/** API processes on the database of a test service, whose partner they share. */
let service: TestService
let partner: TestPartner
let superuser: pg.Client
/** Holds what the victim waits for; who watches is another, for a transaction sees one state of the activity. */
let holder: pg.Client
let env: Record<string, string>
let folder: { path: string; remove(): Promise<void> }

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  await setNothingTwice(service.owner, { tenantId: partner.partnerId }, { idempotency: true })
  await service.watch.poll()
  superuser = await openSuperuser(service.database)
  holder = await openSuperuser(service.database)
  folder = await makeDataFolder()
  env = {
    ...service.settingsFor(folder.path),
    CASENOTE_LOG_LEVEL: 'error',
  }
})
afterAll(async () => {
  await holder.end()
  await superuser.end()
  await service.close()
  await folder.remove()
})

const newClient = { lastName: 'Sample', dateOfBirth: '1990-01-31' }
const path = (): string => `/v2/clinicians/${partner.clinicianId}/clients`

const postAt = (url: string, key: string): Promise<Response> =>
  fetch(`${url}${path()}`, {
    method: 'POST',
    headers: { ...partner.headers, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(newClient),
  })

const postHere = (key: string) =>
  service.call({
    method: 'POST',
    url: path(),
    headers: { ...partner.headers, 'idempotency-key': key },
    payload: newClient,
  })

const countClients = async (): Promise<number> => {
  const answer = await service.call({ method: 'GET', url: path(), headers: partner.headers })
  return answer.json<Page<Client>>().meta.totalItems
}

describe('kill -9 of the API process', () => {
  it('between the change and its kept answer leaves neither: who waited elsewhere does it, once', async () => {
    const victim = await startCasenote(env, 'api')
    const before = await countClients()
    const key = randomUUID()
    // Everybody may read what is kept, and nobody add to it: the victim stands right before its last statement.
    await holder.query('begin; lock table casenote.kept_answers in share mode')
    const lost = postAt(victim.url, key).then(
      () => 'answered',
      () => 'lost',
    )
    await waitUntil(
      () => isWaitingForLock(superuser, 'kept_answers'),
      'the call stands before its last statement',
    )
    const waiting = postHere(key)
    await victim.process.end('SIGKILL')
    await holder.query('rollback')
    expect(await lost).toBe('lost')
    const answer = await waiting
    expect([answer.statusCode, answer.headers['idempotency-replayed']]).toEqual([201, undefined])
    const again = await postHere(key)
    expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', answer.body])
    expect(await countClients()).toBe(before + 1)
  })

  it('anywhere: each key is one client, and whoever was answered is answered so again', async () => {
    for (let kill = 0; kill < 3; kill += 1) {
      const victim = await startCasenote(env, 'api')
      await postAt(victim.url, randomUUID()) // Warm: the next ones take milliseconds.
      const before = await countClients()
      const keys = Array.from({ length: 30 }, () => randomUUID())
      const answers = keys.map((key) => postAt(victim.url, key).catch(() => null))
      // Some are committed and answered by now, some committed only, some neither.
      await Promise.any(answers)
      await victim.process.end('SIGKILL')
      const known = await Promise.all(
        answers.map(async (answer) => (await answer)?.text().catch(() => null) ?? null),
      )
      const repeated = await Promise.all(keys.map(postHere))
      expect(repeated.map(({ statusCode }) => statusCode)).toEqual(keys.map(() => 201))
      for (const [index, body] of known.entries()) if (body !== null) expect(repeated[index]?.body).toBe(body)
      expect(known.some((body) => body !== null)).toBe(true)
      expect(await countClients()).toBe(before + keys.length)
    }
  })
})
