import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, it } from 'vitest'
import { signDelivery } from '../../src/features/webhooks/dispatch/sign-delivery.js'

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

describe('a signature', () => {
  it('of 10,000 random payloads is verified by standardwebhooks and svix as it is', () => {
    const secret = newSecret()
    const standard = new StandardWebhook(secret)
    const svix = new SvixWebhook(secret)
    const text = fc.string({ unit: 'binary', maxLength: 60 })
    const payload = fc.record({ eventType: text, timeStamp: text, payload: fc.dictionary(text, text) })
    fc.assert(
      fc.property(payload, (event) => {
        const body = Buffer.from(JSON.stringify(event))
        const headers = signDelivery(
          { eventId: randomUUID(), body, digestHeader: null },
          [secret],
          Date.now(),
        )
        expect(standard.verify(body.toString(), headers)).toEqual(JSON.parse(body.toString()))
        expect(svix.verify(body, headers)).toEqual(JSON.parse(body.toString()))
      }),
      { numRuns: 10_000 },
    )
  })

  it('does not fit another body, id, time or secret', () => {
    const secret = newSecret()
    const body = Buffer.from('{"a":"ä"}')
    const headers = signDelivery({ eventId: 'one', body, digestHeader: null }, [secret], Date.now())
    const verify = (by: string, text: string, given: Record<string, string>) => () =>
      new StandardWebhook(by).verify(text, given)
    expect(verify(secret, '{"a":"ä"}', headers)).not.toThrow()
    expect(verify(secret, '{"a":"a"}', headers)).toThrow()
    expect(verify(newSecret(), '{"a":"ä"}', headers)).toThrow()
    expect(verify(secret, '{"a":"ä"}', { ...headers, 'webhook-id': 'two' })).toThrow()
    const later = String(Number(headers['webhook-timestamp']) + 1)
    expect(verify(secret, '{"a":"ä"}', { ...headers, 'webhook-timestamp': later })).toThrow()
  })

  it('stands beside that of the secret before, and either verifies', () => {
    const [newest, older] = [newSecret(), newSecret()]
    const body = Buffer.from('{}')
    const headers = signDelivery({ eventId: 'x', body, digestHeader: 'X-D' }, [newest, older], Date.now())
    for (const secret of [newest, older]) {
      expect(() => new StandardWebhook(secret).verify('{}', headers)).not.toThrow()
    }
    expect(headers['X-D']).toBe(createHmac('sha256', newest).update('{}').digest('hex'))
    expect(headers['X-D']).toMatch(/^[0-9a-f]{64}$/)
  })
})
