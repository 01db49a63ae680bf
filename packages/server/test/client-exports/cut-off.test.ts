import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  beginFile,
  completeExport,
  insertExport,
} from '../../src/features/client-exports/client-exports.sql.js'
import { rotateKey, rotateSecret, suspendPartner } from '../../src/features/partners/index.js'
import type { AuditEntry } from '../../src/kernel/audit/index.js'
import { writeBlob } from '../../src/kernel/blobs/index.js'
import { newId } from '../../src/kernel/ids.js'
import { retireOlderKeys, rotateTenantKey } from '../../src/kernel/secrets/make-tenant-keys.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

/** More than any system keeps in its own buffers. */
const fileBytes = 30_000_000

/** What the contract promises. */
const cutOffWithinMs = 5_000

let service: TestService
let port: number
/** By the callers' ports, which the service has no connection to any more: what the system still holds of an answer is theirs. */
const hungUpOn = new Set<number>()

beforeAll(async () => {
  service = await makeTestService()
  service.api.app.server.on('connection', (socket: Socket) => {
    const { remotePort = 0 } = socket
    hungUpOn.delete(remotePort)
    socket.once('close', () => hungUpOn.add(remotePort))
  })
  await service.api.app.listen({ host: '127.0.0.1', port: 0 })
  ;({ port } = service.api.app.server.address() as AddressInfo)
})
afterAll(() => service.close())

const tenantOf = ({ partnerId }: TestPartner) => ({ tenantId: partnerId })

async function* toFile(): AsyncGenerator<Buffer> {
  for (let left = fileBytes; left > 0; left -= 1_000_000) yield randomBytes(1_000_000)
}

/** An export whose file is ready, as a worker leaves it. */
async function makeExport(of: TestPartner): Promise<string> {
  const tenant = tenantOf(of)
  const { blobId } = await writeBlob(service.blobs, tenant, 'export', toFile())
  const exportId = newId()
  await service.db.write(tenant, async (tx) => {
    await tx.run(insertExport(tenant, exportId, of.clientId))
    await tx.run(beginFile(tenant, exportId, blobId))
    await tx.run(completeExport(tenant, exportId, { blobId, sizeBytes: fileBytes, keepDays: 1 }))
  })
  return exportId
}

interface Download {
  exportId: string
  response: IncomingMessage
  requestId: string
  isCut: () => boolean
  /** A little at a time, so that the connection never stands still. */
  readSome(): number
}

async function download(of: TestPartner): Promise<Download> {
  const exportId = await makeExport(of)
  const path = `/v2/client-exports/${exportId}/file`
  const asked = get({ port, host: '127.0.0.1', path, headers: of.headers, agent: false })
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  // What is left of it ends in one.
  response.on('error', () => {})
  const ownPort = response.socket.localPort ?? 0
  const requestId = String(response.headers['x-request-id'])
  const readSome = (): number => (response.read(1_000) as Buffer | null)?.length ?? 0
  return { exportId, response, requestId, isCut: () => hungUpOn.has(ownPort), readSome }
}

/** What the partner's log says about one request. */
async function listOf(of: TestPartner, requestId: string) {
  const rows = await service.owner.throughDoor<{ body: string; subjects: string[] }>({
    text: `select body, subject_ids::text[] as subjects from casenote.audit_entries
        where tenant_id = $1 and body::jsonb ->> 'requestId' = $2`,
    values: [of.partnerId, requestId],
  })
  return rows.map(({ body, subjects }) => {
    const { operation, actor, status } = JSON.parse(body) as AuditEntry
    return { operation, kind: actor.kind, id: actor.id, status, subjects }
  })
}

it.each<[string, number, (of: TestPartner) => Promise<unknown>]>([
  ['the API key was rotated', 403, (of) => rotateKey(service.owner, tenantOf(of))],
  [
    'the secret was rotated, and every token ended',
    401,
    async (of) => rotateSecret(service.owner, await service.keys.get(tenantOf(of)), service.masterKeys),
  ],
  [
    'the key that signed the token was retired',
    401,
    async (of) => {
      await rotateTenantKey(service.owner, service.masterKeys, tenantOf(of), 'token')
      await service.owner.write(tenantOf(of), (tx) => retireOlderKeys(tx, 'token'))
    },
  ],
  ['the partner was suspended', 403, (of) => suspendPartner(service.owner, tenantOf(of))],
])('a download that is read slowly is cut off once %s, and on record', async (_way, status, cutOff) => {
  const [going, staying] = await Promise.all([service.addPartner(), service.addPartner()])
  const [cut, other] = await Promise.all([download(going), download(staying)])
  // Longer than until the first look, which finds that both may go on.
  const readUntilMs = performance.now() + 3_000
  await waitUntil(async () => {
    cut.readSome()
    return performance.now() > readUntilMs
  }, 'some of it is read')
  expect(cut.isCut()).toBe(false)
  await cutOff(going)
  const cutAtMs = performance.now()
  let bytes = 0
  await waitUntil(async () => {
    cut.readSome()
    bytes += other.readSome()
    return cut.isCut()
  }, 'the download is cut off')
  expect(performance.now() - cutAtMs).toBeLessThan(cutOffWithinMs)
  other.response.on('data', (piece: Buffer) => (bytes += piece.length))
  await once(other.response, 'end')
  cut.response.destroy()
  // What was read slowly before is not counted.
  expect(bytes).toBeGreaterThan(fileBytes - 1_000_000)
  await waitUntil(async () => (await listOf(going, cut.requestId)).length === 2, 'it is recorded')
  const subjects = expect.arrayContaining([cut.exportId, going.clientId])
  const by = { kind: 'partner', id: going.partnerId }
  expect(await listOf(going, cut.requestId)).toEqual([
    { operation: 'clientExport.download', ...by, status: undefined, subjects },
    { operation: 'answer.cutOff', ...by, status, subjects },
  ])
  expect(await listOf(staying, other.requestId)).toHaveLength(1)
})
