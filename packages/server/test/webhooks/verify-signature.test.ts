import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { verifySignature } from '../../src/main/webhook-listen/verify-signature.js'

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
const nowMs = Date.parse('2026-11-15T10:00:00Z')

/** As the reference library signs, so that neither our signing nor our checking is its own judge. */
function sign(secret: string, body: Buffer, atMs = nowMs): Record<string, string> {
  const id = randomUUID()
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(atMs / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(atMs), body),
  }
}

describe('webhook listen checks a signature', () => {
  it('ok for what standardwebhooks signs, whatever is written in the body', () => {
    const secret = newSecret()
    // Text alone: the library reads bytes as UTF-8 and signs what that makes of them.
    const text = fc.string({
      unit: fc.constantFrom('a', '.', 'ä', '–', '💡', '\n', '\u0000', '"'),
      maxLength: 200,
    })
    fc.assert(
      fc.property(text, (given) => {
        const body = Buffer.from(given)
        expect(verifySignature({ headers: sign(secret, body), body }, secret, nowMs)).toBe('ok')
      }),
    )
  })

  it('wrong for one changed bit of the body, another id, another time and another secret', () => {
    const secret = newSecret()
    const body = Buffer.from('{"eventType":"transcript_ready"}')
    const headers = sign(secret, body)
    fc.assert(
      fc.property(fc.nat(body.length * 8 - 1), (bit) => {
        const changed = Buffer.from(body)
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(verifySignature({ headers, body: changed }, secret, nowMs)).toBe('wrong')
      }),
    )
    const check = (given: Record<string, string>, by = secret): string =>
      verifySignature({ headers: given, body }, by, nowMs)
    expect(check(headers, newSecret())).toBe('wrong')
    expect(check({ ...headers, 'webhook-id': randomUUID() })).toBe('wrong')
    expect(check({ ...headers, 'webhook-timestamp': String(nowMs / 1000 + 1) })).toBe('wrong')
    expect(check({ ...headers, 'webhook-signature': 'v1,' })).toBe('wrong')
  })

  it('ok when one of two signatures fits, in any order', () => {
    const [secret, other] = [newSecret(), newSecret()]
    const body = Buffer.from('{}')
    const headers = sign(secret, body)
    const id = headers['webhook-id'] ?? ''
    const [own, others] = [headers['webhook-signature'], new Webhook(other).sign(id, new Date(nowMs), body)]
    for (const both of [`${own} ${others}`, `${others} ${own}`]) {
      const given = { ...headers, 'webhook-signature': both }
      expect(verifySignature({ headers: given, body }, secret, nowMs)).toBe('ok')
      expect(verifySignature({ headers: given, body }, newSecret(), nowMs)).toBe('wrong')
    }
  })

  it('too old and too new beyond five minutes, and missing without its headers', () => {
    const secret = newSecret()
    const body = Buffer.from('{}')
    const checkAt = (atMs: number): string =>
      verifySignature({ headers: sign(secret, body, atMs), body }, secret, nowMs)
    expect(checkAt(nowMs - 300_000)).toBe('ok')
    expect(checkAt(nowMs - 301_000)).toBe('too_old')
    expect(checkAt(nowMs + 300_000)).toBe('ok')
    expect(checkAt(nowMs + 301_000)).toBe('too_new')
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const { [name]: _, ...rest } = sign(secret, body)
      expect(verifySignature({ headers: rest, body }, secret, nowMs)).toBe('missing')
    }
  })
})
