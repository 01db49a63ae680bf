import type { WidgetTypedSession } from '@casenote/contract'
import { expect, it } from 'vitest'
import { EngineError, type Engine } from '../../../widget/src/frame/engine/engine.js'
import { makeTypedDraft } from '../../../widget/src/frame/ui/typing/typed-draft.js'

type Answer = 'taken' | 'lost' | 'other text'

/** Answers in turn; nothing is kept on this device. */
const openDraft = (answers: Answer[], whileSending: () => void = () => {}) => {
  const sent: WidgetTypedSession[] = []
  const send = async (_method: string, _path: string, body: unknown): Promise<unknown> => {
    sent.push(body as WidgetTypedSession)
    whileSending()
    const answer = answers.shift()
    if (answer === 'lost') throw new EngineError('', 0)
    if (answer === 'other text') throw new EngineError('sent already', 409)
    return { sessionId: 'session' }
  }
  const engine = { api: { send }, store: null, getVault: () => null } as unknown as Engine
  const draft = makeTypedDraft(engine, 'client')
  const press = () => draft.send({ noteType: 'soap', startedAt: null })
  return { draft, press, sent }
}

it('has one id until a session answers, whatever is added after an answer that was lost', async () => {
  const { draft, press, sent } = openDraft(['lost', 'taken', 'taken'])
  draft.write('Denies SI')
  await expect(press()).rejects.toThrow(EngineError)
  draft.write('Denies SI.')
  await press()
  expect(draft.text.value).toBe('')
  draft.write('Another hour.')
  await press()
  const [first, again, next] = sent.map(({ recordingId }) => recordingId)
  expect(again).toBe(first)
  expect(next).not.toBe(first)
})

it('says that another text was sent, keeps what was typed, and is another session only when it is sent then', async () => {
  const { draft, press, sent } = openDraft(['other text', 'taken'])
  draft.write('Denies SI. One word more.')
  await expect(press()).rejects.toThrow('sent already')
  expect(draft.text.value).toBe('Denies SI. One word more.')
  await press()
  expect(new Set(sent.map(({ recordingId }) => recordingId)).size).toBe(2)
})

it('leaves what was typed while it was on its way, and no more, as the next draft', async () => {
  const opened = openDraft(['taken'], () => opened.draft.write('Denies SI. Sleeps badly.'))
  opened.draft.write('Denies SI.')
  await opened.press()
  expect(opened.draft.text.value).toBe('Sleeps badly.')
})
