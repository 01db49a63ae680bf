import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MasterKeys } from '../../src/kernel/secrets/master-keys.js'
import { sealJson, sealLongJson, unsealLongText } from '../../src/kernel/secrets/sealed-json.js'
import { seal, unseal, type SealedPlace } from '../../src/kernel/secrets/sealing.js'
import { makeTenantKeyRing } from '../../src/kernel/secrets/make-tenant-keys.js'
import { unwrapTenantKeys } from '../../src/kernel/secrets/tenant-keys.js'

const key = { version: 7, bytes: randomBytes(32) }
const place: SealedPlace = { tenantId: 't', table: 'notes', row: 'r', column: 'content' }
const find = (version: number) => (version === key.version ? key : null)

const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))

describe('long values', () => {
  const first = randomBytes(32)
  const { ring } = makeTenantKeyRing(new MasterKeys(() => [first]), { tenantId: randomUUID() })
  const at = { table: 'session_readings', row: 'r', column: 'sealed_reading' }

  it('are packed, and open to what was sealed', async () => {
    const long = {
      items: Array.from({ length: 5_000 }, (_, index) => ({ index, said: 'é “again and again”' })),
    }
    const sealed = await sealLongJson(ring, at, long)
    expect(sealed.length).toBeLessThan(JSON.stringify(long).length / 5)
    expect(JSON.parse(await unsealLongText(ring, at, sealed))).toEqual(long)
  })

  it('that were sealed before they were packed open as well', async () => {
    expect(await unsealLongText(ring, at, sealJson(ring, at, { said: 'before' }))).toBe('{"said":"before"}')
  })
})

describe('sealing', () => {
  it('opens to what was sealed', () => {
    fc.assert(
      fc.property(anyBytes, (plain) => {
        expect(unseal(find, place, seal(key, place, plain)).equals(plain)).toBe(true)
      }),
    )
  })

  it('never gives the same bytes twice', () => {
    const sealed = Array.from({ length: 200 }, () => seal(key, place, Buffer.from('same')).toString('hex'))
    expect(new Set(sealed).size).toBe(200)
  })

  it('does not open after any single changed byte, cut or lengthened', () => {
    fc.assert(
      fc.property(anyBytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (plain, position, change) => {
        const sealed = seal(key, place, plain)
        const changed = Buffer.from(sealed)
        const at = position % sealed.length
        changed.writeUInt8(changed.readUInt8(at) ^ change, at)
        expect(() => unseal(find, place, changed)).toThrow()
        expect(() => unseal(find, place, sealed.subarray(0, at))).toThrow()
        expect(() => unseal(find, place, Buffer.concat([sealed, Buffer.from([change])]))).toThrow()
      }),
    )
  })

  it('does not open in another tenant, table, row or column', () => {
    const sealed = seal(key, place, Buffer.from('x'))
    for (const field of ['tenantId', 'table', 'row', 'column'] as const) {
      expect(() => unseal(find, { ...place, [field]: 'other' }, sealed)).toThrow()
    }
    // Parts that run together when joined are still apart.
    const tricky = seal(key, { tenantId: 'a', table: 'b","c', row: 'd', column: 'e' }, Buffer.from('x'))
    expect(() => unseal(find, { tenantId: 'a', table: 'b', row: 'c","d', column: 'e' }, tricky)).toThrow()
  })

  it('does not open with another key of the same version', () => {
    const sealed = seal(key, place, Buffer.from('x'))
    expect(() => unseal(() => ({ version: 7, bytes: randomBytes(32) }), place, sealed)).toThrow()
  })
})

describe('tenant keys', () => {
  const [first, second] = [randomBytes(32), randomBytes(32)]
  const tenant = { tenantId: '7f1c5f0e-6f0a-4b9e-9d0c-2f3b6f3f9a11' }

  it('unwrap with the master key that wrapped them, alone or beside a newer one, and with no other', () => {
    const { ring, wrapped } = makeTenantKeyRing(new MasterKeys(() => [first]), tenant)
    const sealed = ring.seal(place, Buffer.from('note'))
    for (const keys of [[first], [second, first]]) {
      const opened = unwrapTenantKeys(new MasterKeys(() => keys), tenant.tenantId, wrapped)
      expect(opened.unseal(place, sealed).toString()).toBe('note')
    }
    expect(() => unwrapTenantKeys(new MasterKeys(() => [second]), tenant.tenantId, wrapped)).toThrow(
      /not configured/,
    )
  })

  it('do not unwrap in the place of another tenant, purpose or version', () => {
    const masterKeys = new MasterKeys(() => [first])
    const { wrapped } = makeTenantKeyRing(masterKeys, tenant)
    const other = tenant.tenantId.replace('7f', '80')
    expect(() => unwrapTenantKeys(masterKeys, other, wrapped)).toThrow()
    expect(() =>
      unwrapTenantKeys(
        masterKeys,
        tenant.tenantId,
        wrapped.map((row) => ({ ...row, version: 2 })),
      ),
    ).toThrow()
    const swapped = wrapped.map((row) => ({
      ...row,
      purpose: row.purpose === 'data' ? ('token' as const) : ('data' as const),
    }))
    expect(() => unwrapTenantKeys(masterKeys, tenant.tenantId, swapped)).toThrow()
  })

  it('a master key that a rotation has added is picked up while running', () => {
    let keys = [first]
    const running = new MasterKeys(() => keys)
    const { wrapped } = makeTenantKeyRing(new MasterKeys(() => [second, first]), tenant)
    keys = [second, first]
    expect(unwrapTenantKeys(running, tenant.tenantId, wrapped).newest('data').version).toBe(1)
  })
})
