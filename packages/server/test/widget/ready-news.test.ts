import type { WidgetSession } from '@casenote/contract'
import { expect, it } from 'vitest'
import { waitUntil } from '../support/casenote-process.js'
import { importFrame } from './page-stand-in.js'

type Watch = (sessionId: string, hear: (session: WidgetSession) => void, onLost: () => void) => unknown
const { EngineError } = await importFrame<{
  EngineError: new (message: string, status: number) => Error
}>('engine/engine.ts')
const { makeTurns } = await importFrame<{
  makeTurns: (getEra: () => number) => (work: () => unknown, onLoggedOut?: () => unknown) => Promise<unknown>
}>('engine/in-turn.ts')
const { makeSessionWatch } = await importFrame<{
  makeSessionWatch: (fetch: (path: string) => Promise<Response>, onSession: () => void) => Watch
}>('engine/watch-session.ts')
const { watchForReady } = await importFrame<{
  watchForReady: (engine: object, onEnded: (session: WidgetSession) => void) => { stop(): void }
}>('ui/work/ready-news.ts')

const sessionOf = (sessionId: string, stage: WidgetSession['stage']): WidgetSession =>
  ({ sessionId, stage, note: { isLoading: stage !== 'done', status: 'generated' } }) as WidgetSession

it('a session that is no longer the clinician’s gives its place to the next, and is not asked for again', async () => {
  const asked: string[] = []
  const streamOf = (session: WidgetSession): Response =>
    new Response(`event: session\ndata: ${JSON.stringify(session)}\n\n`)
  const watchSession = makeSessionWatch(
    async (path) => {
      const sessionId = path.split('/')[2] ?? ''
      asked.push(sessionId)
      if (sessionId.startsWith('lost')) throw new EngineError('Not found', sessionId === 'lost-1' ? 404 : 403)
      return streamOf(sessionOf(sessionId, 'done'))
    },
    () => {},
  )
  const told: string[] = []
  const underway = ['ours', 'lost-2', 'lost-1'].map((sessionId) => sessionOf(sessionId, 'writing'))
  const engine = {
    api: {
      watchSession,
      get: async () => ({ data: underway.filter(({ sessionId }) => !told.includes(sessionId)) }),
    },
    recorder: { sending: { value: [] } },
  }
  const news = watchForReady(engine, ({ sessionId }) => told.push(sessionId))
  await waitUntil(async () => told.includes('ours'), 'the third is followed')
  news.stop()
  expect(asked.filter((sessionId) => sessionId.startsWith('lost'))).toEqual(['lost-1', 'lost-2'])
})

it('a call of the page that fails does not hold up those after it, and one from before a logout is not made', async () => {
  let era = 0
  const inTurn = makeTurns(() => era)
  const done: string[] = []
  await expect(inTurn(() => Promise.reject(new Error('no room on this device')))).rejects.toThrow('no room')
  await inTurn(() => done.push('after it'))
  const late = inTurn(
    () => done.push('too late'),
    () => done.push('put away'),
  )
  era += 1
  await late
  expect(done).toEqual(['after it', 'put away'])
})
