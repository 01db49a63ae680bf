import { afterEach, expect, it, vi } from 'vitest'
// oxlint-disable-next-line import/no-unassigned-import -- what follows asks for a page when it is loaded
import '../../page-stand-in.js'
import { makeAuthorizedFetch } from '../../../src/frame/engine/authorized-fetch.js'
import { EngineError } from '../../../src/frame/engine/engine.js'
import { makeRequests } from '../../../src/frame/engine/make-requests.js'
import type { Tokens } from '../../../src/frame/engine/tokens.js'
import { makeTexts } from '../../../src/frame/texts/texts.js'
import { explain } from '../../../src/frame/ui/load.js'

const tokens = { getAccessToken: async () => 'token' } as Tokens
const texts = makeTexts('client')

afterEach(() => {
  vi.unstubAllGlobals()
})

it.each([
  ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a proxy whose service restarts', async () => new Response('<html>', { status: 503 })],
])('a change that has no answer, for %s, is not said to go on by itself', async (_why, answer) => {
  vi.stubGlobal('fetch', answer)
  const requests = makeRequests(
    makeAuthorizedFetch(
      tokens,
      () => {},
      () => {},
    ),
    () => {},
  )
  const error = await requests
    .send('POST', '/sessions/s/progress-note/finalize')
    .catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(EngineError)
  expect(error).toMatchObject({ status: 0 })
  expect(explain(error, texts)).toBe('The service cannot be reached. Check the connection.')
})
