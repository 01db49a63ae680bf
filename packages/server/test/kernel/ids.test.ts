import { expect, it } from 'vitest'
import type { Statement } from '../../src/kernel/db/tenant-read.js'
import { newId, type ClientId, type SessionId } from '../../src/kernel/ids.js'
import type { OpenTransaction } from '../../src/kernel/tenant.js'
import type { PathParams } from '../../src/http/route-machine.js'

// Judged by the compiler ("types of the tests"): a line that is not refused any more is an error.
const clientId: ClientId = newId()
const sessionId: SessionId = newId()
const take = (given: SessionId | null): SessionId | null => given
const takeSeveral = (given: Iterable<SessionId>): number => [...given].length
const takeRow = (row: { sessionId?: SessionId }): SessionId | null => row.sessionId ?? null

it('a plain string is taken for any id, and an id for a plain string', () => {
  const plain: string = sessionId
  expect([take(plain), take(`x${clientId}`), take(JSON.parse('"x"'))]).toEqual([
    sessionId,
    `x${clientId}`,
    'x',
  ])
})

it("a client's id is not taken for a session's", () => {
  expect(take(sessionId)).toBe(sessionId)
  // @ts-expect-error -- as it is
  take(clientId)
  // @ts-expect-error -- in an object
  takeRow({ sessionId: clientId })
  const both = { sessionId, clientId }
  const { clientId: own } = { ...both }
  // @ts-expect-error -- out of one that was taken apart
  take(own)
  // @ts-expect-error -- in an array
  takeSeveral([clientId])
  // @ts-expect-error -- in a set
  takeSeveral(new Set([clientId]))
  // @ts-expect-error -- where there may be none
  take((clientId as ClientId | null) ?? sessionId)
  // @ts-expect-error -- through a generic function
  take([clientId].map((one) => one)[0] ?? null)
  // @ts-expect-error -- as the key of a map
  new Map([[sessionId, 1]]).get(clientId)
  // @ts-expect-error -- compared
  expect(sessionId === clientId).toBe(false)
})

it('nor through what is waited for, a row or a path', async () => {
  const statement: Statement<{ sessionId: SessionId; clientId: ClientId }> = { text: '', values: [] }
  const rows = { run: async () => [{ sessionId, clientId }] } as unknown as OpenTransaction
  const [row] = await rows.run(statement)
  const params: PathParams<'/clients/{clientId}/sessions/{sessionId}'> = { sessionId, clientId }
  expect(take(row?.sessionId ?? null)).toBe(take(params.sessionId))
  // @ts-expect-error -- of a row
  take(row?.clientId ?? null)
  // @ts-expect-error -- of a path
  take(params.clientId)
  // @ts-expect-error -- of a promise
  await Promise.resolve(clientId).then(take)
})
