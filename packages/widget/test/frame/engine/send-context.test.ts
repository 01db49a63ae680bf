import { afterEach, describe, expect, it, vi } from 'vitest'
// oxlint-disable-next-line import/no-unassigned-import -- what follows asks for a page when it is loaded
import '../../page-stand-in.js'
import { EngineError } from '../../../src/frame/engine/engine.js'
import { readOptions } from '../../../src/frame/engine/read-page-input.js'
import { sendWithContext } from '../../../src/frame/engine/send-context.js'

const context = { pronouns: 'they/them' }

describe('what the page knows beside a session', () => {
  const warned: string[] = []
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warned.push(text))
  afterEach(() => void warned.splice(0))

  it('goes with the session; refused, the session goes without it, and for nothing else', async () => {
    const sent: (object | null)[] = []
    const send = (status: number | null) => async (given: object | null) => {
      sent.push(given)
      if (status !== null && given !== null) throw new EngineError('context.pronouns is wrong', status)
      return 'session'
    }
    expect(await sendWithContext(context, send(null))).toBe('session')
    expect(await sendWithContext(null, send(null))).toBe('session')
    expect(warned).toEqual([])
    expect(await sendWithContext(context, send(400))).toBe('session')
    expect(warned).toEqual(['context.pronouns is wrong'])
    await expect(sendWithContext(context, send(503))).rejects.toThrow('context.pronouns is wrong')
    expect(sent).toEqual([context, null, context, null, context])
  })

  it('is an object; what is none is left out, and what nobody knows is warned of', () => {
    expect(readOptions({ context })).toEqual({ context })
    expect(warned).toEqual([])
    expect(readOptions({ context: 'they/them' as unknown as object, language: 'es' })).toEqual({
      language: 'es',
    })
    expect(readOptions({ context: null as unknown as object })).toEqual({})
    expect(readOptions({ context: { diagnosis: 'F33.1' } })).toEqual({ context: { diagnosis: 'F33.1' } })
    expect(warned).toHaveLength(2)
    expect(warned[1]).toContain('diagnosis')
  })
})
