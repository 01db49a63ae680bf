import type { WidgetSession } from '@casenote/contract'
import { expect, it } from 'vitest'
// oxlint-disable-next-line import/no-unassigned-import -- what follows asks for a page when it is loaded
import '../../../page-stand-in.js'
import { EngineError, type Engine } from '../../../../src/frame/engine/engine.js'
import { makeSessionWatch } from '../../../../src/frame/engine/watch-session.js'
import { watchForReady } from '../../../../src/frame/ui/work/ready-news.js'

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
  } as unknown as Engine
  const news = watchForReady(engine, ({ sessionId }) => told.push(sessionId))
  await expect.poll(() => told, { message: 'the third is followed' }).toContain('ours')
  news.stop()
  expect(asked.filter((sessionId) => sessionId.startsWith('lost'))).toEqual(['lost-1', 'lost-2'])
})
