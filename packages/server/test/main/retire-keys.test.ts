import { randomBytes, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { ClinicianTokens, RecordingKeys } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateKey, rotateSecret } from '../../src/features/partners/index.js'
import { deriveSuccessor } from '../../src/features/widget/tokens/clinician-tokens.js'
import { openBlob, writeBlob } from '../../src/kernel/blobs/index.js'
import {
  retireOlderKeys,
  rewrapTenantKeys,
  rotateTenantKey,
} from '../../src/kernel/secrets/make-tenant-keys.js'
import { MasterKeys } from '../../src/kernel/secrets/master-keys.js'
import { signToken } from '../../src/kernel/secrets/signed-tokens.js'
import { readTenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import { needsOlderKey } from '../../src/main/keys/reseal-tenant.js'
import { retireDataKeys } from '../../src/main/keys/retire-keys.js'
import { SEALED_TABLES } from '../../src/main/keys/sealed-columns.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { signIn } from '../widget/widget-fixture.js'

let service: TestService
const masterKey = randomBytes(32)

beforeAll(async () => {
  service = await makeTestService({ masterKey })
})
afterAll(() => service.close())

const tenantOf = (partner: TestPartner) => ({ tenantId: partner.partnerId })
const readKeys = (partner: TestPartner) =>
  readTenantKeys(service.owner, service.masterKeys, tenantOf(partner))

const authenticate = (partner: TestPartner, clientSecret: string, apiKey = partner.apiKey) =>
  service.call({
    method: 'POST',
    url: '/v2/partners/authenticate',
    headers: { 'x-api-key': apiKey },
    payload: { clientId: partner.credentialId, clientSecret },
  })

const readPartner = async (partner: TestPartner, accessToken: string, apiKey = partner.apiKey) => {
  const headers = { 'x-api-key': apiKey, 'access-token': accessToken }
  return (await service.call({ method: 'GET', url: '/v2/partners', headers })).statusCode
}

describe('a stolen token key', () => {
  it('is worth nothing once it is retired: 401 for what it signs, on every instance, open streams included', async () => {
    const partner = await service.addPartner()
    const clinician = await signIn(service, partner)
    const stolen = await readKeys(partner)
    const lifetime = { nowMs: Date.now(), seconds: 3_600 }
    const forgedPartner = signToken(stolen, 'partner', {}, lifetime)
    const claims = JSON.parse(
      Buffer.from(clinician.tokens.AccessToken.split('.')[1] ?? '', 'base64url').toString(),
    ) as { sub: string; wsid: string }
    const forgedClinician = signToken(stolen, 'clinician', { sub: claims.sub, wsid: claims.wsid }, lifetime)
    const widget = (api = service.api) =>
      api.app.inject({
        method: 'GET',
        url: '/widget/v1/clinician',
        headers: { authorization: `Bearer ${forgedClinician}` },
      })
    expect([await readPartner(partner, forgedPartner), (await widget()).statusCode]).toEqual([200, 200])
    const peer = await service.makePeer()
    try {
      await peer.api.app.listen({ host: '127.0.0.1', port: 0 })
      const { port } = peer.api.app.server.address() as AddressInfo
      const path = `/widget/v1/sessions/${partner.sessionId}/events`
      const headers = { authorization: `Bearer ${forgedClinician}` }
      const stream = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
      expect(stream.status).toBe(200)
      const before = Date.now()
      await rotateTenantKey(service.owner, service.masterKeys, tenantOf(partner), 'token')
      const retired = await service.owner.write(tenantOf(partner), (tx) => retireOlderKeys(tx, 'token'))
      expect(retired).toEqual([1])
      await stream.text()
      expect(Date.now() - before).toBeLessThan(5_000)
      await service.watch.poll()
      await peer.watch.poll()
      expect(await readPartner(partner, forgedPartner)).toBe(401)
      expect([(await widget()).statusCode, (await widget(peer.api)).statusCode]).toEqual([401, 401])
    } finally {
      await peer.close()
    }
    // Whoever has credentials of their own goes on: the partner authenticates, the browser renews.
    const again = await authenticate(partner, partner.clientSecret)
    expect(await readPartner(partner, again.json<{ accessToken: string }>().accessToken)).toBe(200)
    const payload = { RefreshToken: clinician.tokens.RefreshToken }
    const renewed = await service.call({ method: 'POST', url: '/widget/v1/token', payload })
    const authorization = `Bearer ${renewed.json<ClinicianTokens>().AccessToken}`
    const read = { method: 'GET', url: '/widget/v1/clinician', headers: { authorization } } as const
    expect((await service.call(read)).statusCode).toBe(200)
    // A signature that no key of ours made stays "not recognized".
    expect(await readPartner(partner, `${forgedPartner.slice(0, -6)}AAAAAA`)).toBe(403)
  })

  it('makes no refresh tokens: neither a thief’s, nor the one that was handed out, nor the same again', async () => {
    const partner = await service.addPartner()
    const renew = (RefreshToken: string, renewalId: string) =>
      service.call({ method: 'POST', url: '/widget/v1/token', payload: { RefreshToken, renewalId } })
    const { RefreshToken: first } = (await signIn(service, partner)).tokens
    const renewalId = randomUUID()
    const { RefreshToken: second } = (await renew(first, renewalId)).json<ClinicianTokens>()
    const stolen = deriveSuccessor(await readKeys(partner), 1, { token: first, renewalId })
    expect(stolen).toBe(second)
    const { RefreshToken: never } = (await signIn(service, partner)).tokens
    await rotateTenantKey(service.owner, service.masterKeys, tenantOf(partner), 'token')
    await service.owner.write(tenantOf(partner), (tx) => retireOlderKeys(tx, 'token'))
    await service.watch.poll()
    expect((await renew(second, randomUUID())).statusCode).toBe(401)
    expect((await renew(first, renewalId)).statusCode).toBe(401)
    // What follows from no key goes on, and what follows from the new one.
    const third = await renew(never, randomUUID())
    expect(third.statusCode).toBe(200)
    const { RefreshToken: fourth } = third.json<ClinicianTokens>()
    expect((await renew(fourth, randomUUID())).statusCode).toBe(200)
  })

  it('the only one there is is not retired', async () => {
    const partner = await service.addPartner()
    expect(await service.owner.write(tenantOf(partner), (tx) => retireOlderKeys(tx, 'token'))).toEqual([])
    await service.watch.poll()
    expect(await readPartner(partner, partner.accessToken)).toBe(200)
  })
})

describe('credentials that are rotated now', () => {
  it('rotate-secret --now: the old secret and every token end; the key and the new secret work', async () => {
    const partner = await service.addPartner()
    const before = await rotateSecret(service.owner, await readKeys(partner))
    const secret = await rotateSecret(service.owner, await readKeys(partner), service.masterKeys)
    await service.watch.poll()
    const statuses = [partner.clientSecret, before, secret].map(
      async (one) => (await authenticate(partner, one)).statusCode,
    )
    expect(await Promise.all(statuses)).toEqual([401, 401, 200])
    expect(await readPartner(partner, partner.accessToken)).toBe(401)
    const { accessToken } = (await authenticate(partner, secret)).json<{ accessToken: string }>()
    expect(await readPartner(partner, accessToken)).toBe(200)
  })

  it('rotate-key --now: the old key and every token end; the secret and the new key work', async () => {
    const partner = await service.addPartner()
    const apiKey = await rotateKey(service.owner, tenantOf(partner), service.masterKeys)
    await service.watch.poll()
    expect(await readPartner(partner, partner.accessToken)).toBe(403)
    expect(await readPartner(partner, partner.accessToken, apiKey)).toBe(401)
    expect((await authenticate(partner, partner.clientSecret, apiKey)).statusCode).toBe(200)
  })
})

describe('pairs that a thief minted for clinicians', () => {
  const rotations = {
    'rotate-secret --now': async (partner: TestPartner) =>
      rotateSecret(service.owner, await readKeys(partner), service.masterKeys),
    // By the service's login, as the console does.
    'rotate-key --now': async (partner: TestPartner) =>
      rotateKey(service.db, tenantOf(partner), service.masterKeys),
  }
  it.each(Object.entries(rotations))(
    'end with %s, renewed or not, and so do their streams',
    async (_name, rotate) => {
      const [partner, other] = [await service.addPartner(), await service.addPartner()]
      const minted = await signIn(service, partner)
      const untouched = await signIn(service, other)
      const renew = ({ tokens }: typeof minted) =>
        service.call({
          method: 'POST',
          url: '/widget/v1/token',
          payload: { RefreshToken: tokens.RefreshToken, renewalId: randomUUID() },
        })
      const peer = await service.makePeer()
      try {
        await peer.api.app.listen({ host: '127.0.0.1', port: 0 })
        const { port } = peer.api.app.server.address() as AddressInfo
        const path = `/widget/v1/sessions/${partner.sessionId}/events`
        const headers = { authorization: `Bearer ${minted.tokens.AccessToken}` }
        const stream = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
        expect(stream.status).toBe(200)
        const before = Date.now()
        await rotate(partner)
        await stream.text()
        expect(Date.now() - before).toBeLessThan(5_000)
      } finally {
        await peer.close()
      }
      await service.watch.poll()
      expect((await minted.call('GET', '/clinician')).statusCode).toBe(401)
      expect((await renew(minted)).statusCode).toBe(401)
      expect((await renew(untouched)).statusCode).toBe(200)
    },
  )
})

describe('at the same time', () => {
  const countOpen = async (table: string, column: string, partner: TestPartner) =>
    (
      await service.owner.throughDoor<{ count: number }>({
        text: `select count(*)::int from casenote.${table} where tenant_id = $1 and ${column} is null`,
        values: [partner.partnerId],
      })
    )[0]?.count

  it('rotations wait for one another: one credential of each kind is without an end, and the one before has its day', async () => {
    const partner = await service.addPartner()
    const tenant = tenantOf(partner)
    const ring = await readKeys(partner)
    // By the service's login and by the owner, as the console and the command line do.
    const secrets = await Promise.all([service.db, service.owner].map((db) => rotateSecret(db, ring)))
    await Promise.all([service.db, service.owner].map((db) => rotateKey(db, tenant)))
    await Promise.all([1, 2, 3].map(() => rotateTenantKey(service.db, service.masterKeys, tenant, 'token')))
    expect(await countOpen('client_secrets', 'expires_at', partner)).toBe(1)
    expect(await countOpen('api_keys', 'revoked_at', partner)).toBe(1)
    const rows = await service.owner.throughDoor<{ hours: number }>({
      text: `select extract(epoch from expires_at - created_at)::int / 3600 as hours from casenote.client_secrets
        where tenant_id = $1 and expires_at > now()`,
      values: [partner.partnerId],
    })
    expect(rows.map(({ hours }) => hours)).toEqual([24])
    expect(new Set(secrets).size).toBe(2)
  })

  it('a new key is wrapped as those before it, whatever master key its process has first', async () => {
    const partner = await service.addPartner()
    const tenant = tenantOf(partner)
    const idsOf = async () =>
      (
        await service.owner.throughDoor<{ id: string }>({
          text: 'select distinct master_key_id as id from casenote.tenant_keys where tenant_id = $1',
          values: [partner.partnerId],
        })
      ).map(({ id }) => id)
    const [next, after] = [randomBytes(32), randomBytes(32)]
    // One knows of the next key already; the others of this installation do not.
    const ahead = new MasterKeys(() => [next, masterKey])
    const before = service.masterKeys.currentId
    await rotateTenantKey(service.db, ahead, tenant, 'token')
    expect(await idsOf()).toEqual([before])
    await rewrapTenantKeys(service.owner, ahead, tenant)
    expect(await idsOf()).toEqual([ahead.currentId])
    // One that still has the old key first must not go back to it, nor while all are wrapped anew.
    const behind = new MasterKeys(() => [masterKey, next, after])
    const latest = new MasterKeys(() => [after, next])
    await Promise.all([
      rotateTenantKey(service.db, behind, tenant, 'token'),
      rewrapTenantKeys(service.owner, latest, tenant),
      rotateTenantKey(service.db, behind, tenant, 'token'),
    ])
    expect(await idsOf()).toEqual([latest.currentId])
  })
})

describe('retiring data keys', () => {
  it('the list of sealed columns is the catalogue’s', async () => {
    const rows = await service.owner.throughDoor<{ name: string }>({
      text: `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'casenote' and data_type = 'bytea' and column_name like 'sealed%'`,
      values: [],
    })
    const listed = SEALED_TABLES.flatMap(({ table, columns }) =>
      columns.map((column) => `${table}.${column}`),
    )
    expect(listed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  })

  it('seals everything anew, beside the service; then nothing needs the old key, and it goes after 30 days', async () => {
    const partner = await service.addPartner()
    const other = await service.addPartner()
    const tenant = tenantOf(partner)
    const change = (text: string) =>
      service.owner.write(tenant, (tx) => tx.run({ text, values: [partner.partnerId] }))
    const recording = randomBytes(5_000_000)
    const { blobId } = await writeBlob(service.blobs, tenant, 'audio', Readable.from([recording]))
    const clinician = await signIn(service, partner)
    const read = async (of: TestPartner): Promise<string[]> => {
      const paths = [
        `/sessions/${of.sessionId}`,
        `/sessions/${of.sessionId}/transcript`,
        `/sessions/${of.sessionId}/progress-note`,
        `/progress-notes/${of.progressNoteId}/versions`,
        `/sessions/${of.sessionId}/summary`,
        `/assessment-scores/${of.scoreId}`,
      ]
      const answers = paths.map(async (path) => service.ask(of, 'GET', path))
      return (await Promise.all(answers)).map(({ statusCode, body }) => `${statusCode} ${body}`)
    }
    const before = await read(partner)
    expect(before.every((answer) => answer.startsWith('200'))).toBe(true)
    const retire = () =>
      retireDataKeys(
        { db: service.owner, store: service.blobs.store, masterKeys: service.masterKeys },
        tenant,
      )
    await rotateTenantKey(service.owner, service.masterKeys, tenant, 'data')
    expect(await retire()).toBeNull()
    await change(
      `update casenote.tenant_keys set created_at = created_at - interval '1 minute' where tenant_id = $1`,
    )
    const retired = await retire()
    expect(retired).toMatchObject({ versions: [1], parts: 2, deleted: [] })
    expect(retired?.values).toBeGreaterThan(5)
    expect(await needsOlderKey(service.owner, await readKeys(partner))).toBe(false)
    expect(await retire()).toEqual({ versions: [], values: 0, parts: 0, deleted: [] })
    await service.watch.poll()
    const keys = (await clinician.call('GET', '/clinician/recording-keys')).json<RecordingKeys>()
    expect(keys.keys.map(({ version }) => version)).toEqual([2, 1])
    await change(
      `update casenote.tenant_keys set retired_at = retired_at - interval '31 days' where tenant_id = $1`,
    )
    expect(await retire()).toMatchObject({ deleted: [1] })
    await service.watch.poll()
    expect(await read(partner)).toEqual(before)
    const pieces: Buffer[] = []
    for await (const piece of await openBlob(service.blobs, tenant, blobId)) pieces.push(piece as Buffer)
    expect(Buffer.concat(pieces).equals(recording)).toBe(true)
    expect((await authenticate(partner, partner.clientSecret)).statusCode).toBe(200)
    expect((await readKeys(other)).newest('data').version).toBe(1)
  })
})
