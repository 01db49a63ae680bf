import { createHash } from 'node:crypto'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BlobStoreFault, makeS3Store, type BlobStore, type S3Options } from '../../src/kernel/blobs/index.js'
import { signS3Request } from '../../src/kernel/blobs/s3-signature.js'
import { hash } from './blobs-fixture.js'
import { startS3Server, type S3Server } from './s3-server.js'

const tenantId = '00000000-0000-4000-8000-000000000001'
const nameOf = (number: number): string => `${tenantId}/${tenantId}/${number}-0123456789abcdef`

let server: S3Server
const opened: BlobStore[] = []
const open = (changes: Partial<S3Options> = {}): BlobStore => {
  const { endpoint, bucket, credentials } = server
  const store = makeS3Store({
    endpoint,
    bucket,
    ...credentials,
    isPathStyle: true,
    prefix: 'a',
    retryDelayMs: 1,
    ...changes,
  })
  opened.push(store)
  return store
}
const namesIn = async (store: BlobStore): Promise<string[]> => {
  const names: string[] = []
  for await (const { name } of store.list()) names.push(name)
  return names
}

beforeAll(async () => {
  server = await startS3Server()
})
afterAll(async () => {
  for (const store of opened) await store.close()
  await server.stop()
})

/** From "Authenticating Requests: Using the Authorization Header" in Amazon's S3 documentation. */
describe('a signature', () => {
  const credentials = {
    region: 'us-east-1',
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const at = Date.parse('2013-05-24T00:00:00Z')
  const host = 'https://examplebucket.s3.amazonaws.com'

  it.each([
    [
      'GET',
      '/test.txt',
      { range: 'bytes=0-9' },
      '',
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'PUT',
      '/test%24file.text',
      { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      'Welcome to Amazon S3.',
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
    ['GET', '/?lifecycle', {}, '', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    [
      'GET',
      '/?max-keys=2&prefix=J',
      {},
      '',
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ] as const)('of %s %s is the published one', (method, path, headers, body, signature) => {
    const request = {
      method,
      url: new URL(path, host),
      headers,
      bodyHash: createHash('sha256').update(body).digest('hex'),
    }
    expect(signS3Request(request, credentials, at)['authorization']).toContain(`Signature=${signature}`)
  })
})

describe('an S3 store', () => {
  it('with a wrong secret, key id or bucket says so at the start, and says no secret', async () => {
    const wrong: [Partial<S3Options>, string][] = [
      [{ secretAccessKey: 'not-the-secret' }, '403 SignatureDoesNotMatch'],
      [{ accessKeyId: 'nobody' }, '403 InvalidAccessKeyId'],
      [{ bucket: 'no-such-bucket' }, '404 NoSuchBucket'],
    ]
    for (const [changes, said] of wrong) {
      const error = await open(changes)
        .check()
        .catch((thrown: Error) => thrown)
      expect(error).toMatchObject({
        code: 'blob_store_fault',
        message: expect.stringContaining(said) as string,
      })
      expect((error as Error).message).not.toMatch(/not-the-secret|S3RVER|nobody/)
    }
  })

  it('sees only its own installation in a shared bucket', async () => {
    const [one, two] = [open({ prefix: 'one' }), open({ prefix: 'two' })]
    await one.put(nameOf(1), Buffer.from('of one'))
    expect(await namesIn(two)).toEqual([])
    await expect(two.get(nameOf(1))).rejects.toMatchObject({ code: 'blob_missing' })
    await two.delete(nameOf(1))
    expect((await one.get(nameOf(1))).toString()).toBe('of one')
  })

  it('is listed to its end, over several pages', async () => {
    const store = open({ prefix: 'many' })
    const names = Array.from({ length: 1_100 }, (_, index) => nameOf(index + 1))
    for (let from = 0; from < names.length; from += 50) {
      await Promise.all(names.slice(from, from + 50).map((name) => store.put(name, Buffer.from('x'))))
    }
    expect((await namesIn(store)).toSorted()).toEqual(names.toSorted())
  })
})

describe('between the store and us', () => {
  let proxy: Server
  /** What the proxy does with the next requests instead of passing them on. */
  let trouble: ('503' | '429' | 'reset' | 'half' | 'silence')[] = []
  let seen = 0

  beforeAll(async () => {
    proxy = createServer((request, response) => {
      seen += 1
      const what = trouble.shift()
      if (what === 'silence') return
      if (what === 'reset') {
        request.socket.resetAndDestroy()
        return
      }
      if (what === '503' || what === '429') {
        response.writeHead(Number(what)).end()
        return
      }
      const options = { method: request.method, headers: request.headers, path: request.url }
      const upstream = forward(server.endpoint, options, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        if (what === 'half')
          answer.once('data', (chunk: Buffer) => {
            response.write(chunk.subarray(0, 10), () => response.destroy())
            answer.destroy()
          })
        else answer.pipe(response)
      })
      request.pipe(upstream)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    proxy.closeAllConnections()
    proxy.close()
  })

  it('busy answers, resets and halves of answers are tried again', async () => {
    const { port } = proxy.address() as AddressInfo
    // The signature covers the host; this server takes the one that it is called by.
    const store = open({ endpoint: `http://127.0.0.1:${port}`, prefix: 'proxied' })
    const bytes = Buffer.alloc(1_000_000, 5)
    trouble = ['503', 'reset', '429']
    await store.put(nameOf(1), bytes)
    trouble = ['half', 'reset', '503', 'half']
    expect(hash(await store.get(nameOf(1)))).toBe(hash(bytes))
    expect(trouble).toEqual([])
  })

  it('five failures are enough', async () => {
    const { port } = proxy.address() as AddressInfo
    const store = open({ endpoint: `http://127.0.0.1:${port}`, prefix: 'proxied' })
    trouble = ['503', '503', '503', '503', '503', '503']
    seen = 0
    await expect(store.put(nameOf(2), Buffer.from('x'))).rejects.toThrow('the blob store failed 5 times')
    expect(seen).toBe(5)
    trouble = []
  })

  it('once the process stops, who waits for an answer, or for the next try, is told at once', async () => {
    const { port } = proxy.address() as AddressInfo
    const endpoint = `http://127.0.0.1:${port}`
    const store = open({ endpoint, prefix: 'proxied', retryDelayMs: 600_000 })
    trouble = ['silence', '503']
    seen = 0
    const ends = Promise.allSettled([store.put(nameOf(3), Buffer.from('x')), store.get(nameOf(3))])
    await expect.poll(() => seen).toBe(2)
    store.abandon()
    for (const end of await ends)
      expect(end).toMatchObject({ status: 'rejected', reason: { code: 'blob_store_fault' } })
    for (const ask of [() => store.delete(nameOf(3)), () => store.probe(), () => namesIn(store)])
      await expect(ask()).rejects.toThrow(BlobStoreFault)
    expect(seen).toBe(2)
  })
})
