import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { whileGoingOn } from '../../src/pipeline/while-going-on.js'

const never = new AbortController().signal
const goesOn = async (): Promise<boolean> => true

/** Until it is broken off, as hearing what has piled up. */
async function workOn(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
  signal.throwIfAborted()
}

describe('work about something that may end', () => {
  it('is broken off when that ends, which is no failure', async () => {
    const looks = [true, true, false]
    await whileGoingOn(async () => looks.shift() ?? false, never, workOn, 1)
    expect(looks).toEqual([])
  })

  it('ends by itself, and nobody looks any more', async () => {
    let looks = 0
    const look = async (): Promise<boolean> => {
      looks += 1
      return true
    }
    await whileGoingOn(look, never, async () => undefined, 1)
    expect(looks).toBe(0)
  })

  it('fails as it fails', async () => {
    const fail = async (): Promise<void> => {
      throw new Error('the decoder broke')
    }
    await expect(whileGoingOn(goesOn, never, fail, 1)).rejects.toThrow('the decoder broke')
  })

  it('tells that it was stopped, and that nobody can tell whether it goes on', async () => {
    const stopped = AbortSignal.abort(new Error('the worker stops'))
    await expect(whileGoingOn(goesOn, stopped, workOn, 1)).rejects.toThrow('the worker stops')
    const away = async (): Promise<boolean> => {
      throw new Error('the database is away')
    }
    await expect(whileGoingOn(away, never, workOn, 1)).rejects.toThrow('the database is away')
  })
})
