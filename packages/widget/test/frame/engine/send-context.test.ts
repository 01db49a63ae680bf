import { CONTEXT_FIELDS } from '@casenote/contract'
import { beforeEach, describe, expect, it, vi } from 'vitest'
// oxlint-disable-next-line import/no-unassigned-import -- what follows asks for a page when it is loaded
import '../../page-stand-in.js'
import { EngineError } from '../../../src/frame/engine/engine.js'
import { readOptions } from '../../../src/frame/engine/read-page-input.js'
import { contextFields, sendWithContext } from '../../../src/frame/engine/send-context.js'

const sessionId = 'a-session'

/** A service that refuses in turn, and takes what comes then. */
function makeService(...refusals: (string | EngineError)[]) {
  const sent: unknown[] = []
  const raised: unknown[] = []
  const left = [...refusals]
  return {
    sent,
    raised,
    post: (context: object | null) =>
      sendWithContext(
        context,
        async (given) => {
          sent.push(given)
          const refusal = left.shift()
          if (typeof refusal === 'string') throw new EngineError(refusal, 400)
          if (refusal !== undefined) throw refusal
          return { sessionId }
        },
        (event, detail) => raised.push([event, detail]),
      ),
  }
}

const context = {
  diagnoses: ['a'.repeat(201)],
  goals: [{ text: 'Sleep' }],
  pronouns: 'they/them',
  namesToKeepOut: ['Rosalind'],
  serviceCode: null,
}
const tooLong = 'each value in context.diagnoses must be shorter than or equal to 200 characters'

describe('what the page knows beside a session', () => {
  it('goes with the session, and nobody hears of anything', async () => {
    const service = makeService()
    expect(await service.post(context)).toEqual({ sessionId })
    expect(await service.post(null)).toEqual({ sessionId })
    expect(service.sent).toEqual([
      { context, contextLeftOut: [] },
      { context: null, contextLeftOut: [] },
    ])
    expect(service.raised).toEqual([])
  })

  it('goes without the field that is refused and with all others; service and page are told which', async () => {
    const service = makeService(tooLong)
    expect(await service.post(context)).toEqual({ sessionId })
    const { goals, pronouns, namesToKeepOut } = context
    expect(service.sent[1]).toEqual({
      context: { goals, pronouns, namesToKeepOut },
      contextLeftOut: ['diagnoses'],
    })
    expect(service.raised).toEqual([
      ['error', { code: 'contextRefused', message: expect.any(String), fields: ['diagnoses'], sessionId }],
    ])
    const said = JSON.stringify(service.raised)
    expect(said).toContain(tooLong)
    for (const word of ['Rosalind', 'Sleep', 'aaaa']) expect(said).not.toContain(word)
  })

  it('leaves out what each of several refusals names, also both ends of a bad time, and names refused names', async () => {
    const service = makeService(
      `${tooLong}. context.goals.0.text should not be empty`,
      'context.endedAt must be after context.startedAt. each value in context.namesToKeepOut must have at most 8 words',
    )
    await service.post({ ...context, startedAt: 'b', endedAt: 'a' })
    expect(service.sent[2]).toEqual({
      context: { pronouns: 'they/them' },
      contextLeftOut: ['diagnoses', 'goals', 'namesToKeepOut', 'startedAt', 'endedAt'],
    })
    expect(JSON.stringify(service.raised)).toContain('namesToKeepOut')
  })

  it('keeps the names to keep out and the pronouns where a refusal names no field, and goes without only then', async () => {
    const { pronouns, namesToKeepOut } = context
    const service = makeService('Bad Request', 'Bad Request')
    await service.post(context)
    expect(service.sent.slice(1)).toEqual([
      { context: { pronouns, namesToKeepOut }, contextLeftOut: ['diagnoses', 'goals'] },
      { context: null, contextLeftOut: ['diagnoses', 'goals', 'pronouns', 'namesToKeepOut'] },
    ])
    expect(service.raised).toHaveLength(1)
  })

  it('is told of to the page also where it is nothing that could be known', async () => {
    const service = makeService('context must be an object')
    await service.post(readOptions({ context: 'they/them' as unknown as object }).context ?? null)
    expect(service.sent[1]).toEqual({ context: null, contextLeftOut: [] })
    expect(JSON.stringify(service.raised)).toContain('Left out: context. context must be an object')
  })

  it('goes on without an option of the page that is refused, which the page is told', async () => {
    const service = makeService(
      'sessionExternalId must be shorter than or equal to 255 characters. each value in treatmentApproaches must be a string',
      tooLong,
    )
    expect(await service.post(context)).toEqual({ sessionId })
    const { goals, pronouns, namesToKeepOut } = context
    expect(service.sent[1]).toEqual({ context, contextLeftOut: [] })
    expect(Object.keys(service.sent[1] as object)).toContain('treatmentApproaches')
    expect(service.sent[2]).toEqual({
      context: { goals, pronouns, namesToKeepOut },
      contextLeftOut: ['diagnoses'],
    })
    const fields = ['sessionExternalId', 'treatmentApproaches', 'diagnoses']
    expect(service.raised).toEqual([
      ['error', { code: 'contextRefused', message: expect.any(String), fields, sessionId }],
    ])
    const alone = makeService('language must match the pattern of a language')
    expect(await alone.post(null)).toEqual({ sessionId })
  })

  it('is sent again for nothing else, and a session that is refused without it is refused', async () => {
    const away = makeService(new EngineError(tooLong, 503))
    await expect(away.post(context)).rejects.toThrow(tooLong)
    expect(away.sent).toHaveLength(1)
    const refused = makeService('no', 'no', 'recordingId is wrong')
    await expect(refused.post(context)).rejects.toThrow('recordingId is wrong')
    expect(refused.sent).toHaveLength(3)
    expect([...away.raised, ...refused.raised]).toEqual([])
  })

  it('has the fields that the contract names', () => {
    expect(contextFields).toEqual(CONTEXT_FIELDS)
  })
})

describe('the context that a page gives', () => {
  const warned: string[] = []
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warned.push(text))
  beforeEach(() => void warned.splice(0))

  it('is taken as it is, and fields that nobody knows are warned of', () => {
    expect(readOptions({ context })).toEqual({ context })
    expect(readOptions({ context: null as unknown as object, language: 'es' })).toEqual({ language: 'es' })
    expect(warned).toEqual([])
    expect(readOptions({ context: { diagnosis: 'F33.1' } })).toEqual({ context: { diagnosis: 'F33.1' } })
    expect(warned).toHaveLength(1)
    expect(warned[0]).toContain('diagnosis')
  })
})
