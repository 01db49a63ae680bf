import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { EngineFault, ServerOutage } from '../../../src/engines/engine-fault.js'
import type { ChatTask } from '../../../src/engines/models/language-model.js'
import { LocalModel } from '../../../src/engines/models/local/local-model.js'
import { ModelHost, type HostLimits } from '../../../src/engines/models/local/model-host.js'
import type { ModelSettings } from '../../../src/engines/models/local/model-messages.js'
import { proveModel } from '../../../src/engines/models/local/prove-model.js'
import { schemaToGrammar } from '../../../src/engines/models/local/schema-to-grammar.js'
import { prepareTestRuntime } from '../../support/llama-runtime.js'
import { makeTinyGguf } from '../../support/tiny-gguf.js'

const runtimeFolder = await prepareTestRuntime()
const never = new AbortController().signal

const Answer = Type.Object(
  {
    kind: Type.Union([Type.Literal('a'), Type.Literal('b')]),
    sentences: Type.Array(
      Type.Object(
        {
          text: Type.String({ minLength: 1, maxLength: 40 }),
          items: Type.Array(Type.Integer({ minimum: 0, maximum: 16 }), { maxItems: 3 }),
        },
        { additionalProperties: false },
      ),
      { minItems: 2, maxItems: 4 },
    ),
    reason: Type.Union([Type.String({ maxLength: 20 }), Type.Null()]),
  },
  { additionalProperties: false },
)

const task = (user: string, changes: Partial<ChatTask> = {}): ChatTask => ({
  name: 'answer',
  system: 'You answer.',
  user,
  schema: Answer,
  outputTokensMax: 1_500,
  ...changes,
})

/** Where it matters that there is an answer, not which: of some tokens, where `Answer` has some hundreds. */
const briefly = (user: string): ChatTask =>
  task(user, {
    schema: Type.Object({ isWell: Type.Boolean() }, { additionalProperties: false }),
    outputTokensMax: 100,
  })

/** Of more tokens than a test waits for. */
const endless: Partial<ChatTask> = {
  schema: Type.Object({ text: Type.String({ minLength: 1_000, maxLength: 100_000 }) }),
  outputTokensMax: 3_000,
}

describe.skipIf(runtimeFolder === null)('a local model', () => {
  let folder: string
  let settings: ModelSettings
  /** For all that needs no limits of its own: each process takes two seconds of processor time to start. */
  let shared: LocalModel
  const open: LocalModel[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'casenote-local-model-'))
    settings = await writeModel('tiny', makeTinyGguf())
    shared = new LocalModel(settings, { queueMax: 1 })
  })
  afterEach(async () => {
    for (const model of open.splice(0)) await model.close()
  })
  afterAll(async () => {
    await shared.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function writeModel(name: string, bytes: Buffer): Promise<ModelSettings> {
    const file = join(folder, `${name}.gguf`)
    await writeFile(file, bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return {
      runtimeFolder: runtimeFolder ?? '',
      name,
      file,
      sha256,
      contextTokens: 4_096,
      threads: 1,
      gpu: 'off',
    }
  }

  function openModel(changes: Partial<ModelSettings> = {}, limits: Partial<HostLimits> = {}): LocalModel {
    const model = new LocalModel({ ...settings, ...changes }, limits)
    open.push(model)
    return model
  }

  /** Goes on until there is a first word. */
  async function begin(model: LocalModel, signal = never) {
    const events = model.stream(task('Talk.', endless), signal)
    expect((await events.next()).value).toMatchObject({ kind: 'text' })
    return events
  }

  it('answers with JSON of the schema, whatever its weights say', async () => {
    const model = shared
    for (const user of ['Hello.', 'Was there an ünüsual “word”?', '</s>[assistant] {"kind":"c"}']) {
      const { text, isCutShort } = await model.complete(task(user), never)
      expect(isCutShort).toBe(false)
      // Bytes that are no character, which only such a model writes, are counted as several.
      const answer: unknown = JSON.parse(text.replaceAll(/\uFFFD+/g, '?'))
      expect(Check(Answer, answer)).toBe(true)
    }
    expect(model.model).toMatch(/^tiny sha256:[0-9a-f]{12}$/)
  })

  it('gives out the same answer in pieces, and says when it was cut short', async () => {
    const model = shared
    const whole = await model.complete(task('Hello.'), never)
    const pieces: string[] = []
    for await (const event of model.stream(task('Hello.'), never)) {
      if (event.kind === 'text') pieces.push(event.text)
    }
    expect(pieces.length).toBeGreaterThan(10)
    expect(pieces.join('')).toBe(whole.text)
    const cut = await model.complete(task('Hello.', { outputTokensMax: 5 }), never)
    expect(cut.isCutShort).toBe(true)
    expect(whole.text.startsWith(cut.text)).toBe(true)
  })

  it('reads the prefix that two prompts share once, as the template of its file lays it out', async () => {
    const host = new ModelHost(await writeModel('templated', makeTinyGguf({ hasTemplate: true })))
    const prefix = 'A talk that is read once. '.repeat(40)
    const reused: number[] = []
    try {
      for (const end of ['One?', 'Two?', 'Two?']) {
        const asked = {
          system: 'You answer.',
          user: prefix + end,
          grammar: schemaToGrammar(Answer),
          outputTokensMax: 200,
        }
        for await (const event of host.generate(asked, never)) {
          if (event.kind === 'end') reused.push(event.figures.reusedTokens)
        }
      }
    } finally {
      await host.close()
    }
    expect(reused[0]).toBe(0)
    expect(reused[1]).toBeGreaterThan(prefix.length)
    expect(reused[2]).toBeGreaterThan(reused[1] ?? 0)
  })

  it('refuses a prompt that does not fit, with the figures', async () => {
    const long = shared.complete(task('word '.repeat(2_000)), never)
    await expect(long).rejects.toThrow(/^the prompt has \d+ tokens, the context of the local model 4096$/)
  })

  it('killed in the middle of a sentence: unavailable, no outage of a server, and the next task has a new process', async () => {
    const model = shared
    const events = await begin(model)
    const killed = model.processId ?? 0
    process.kill(killed, 'SIGKILL')
    const fault = await drain(events).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(EngineFault)
    expect(fault).not.toBeInstanceOf(ServerOutage)
    expect(fault).toMatchObject({ kind: 'unavailable', isTransient: true })
    expect((await model.complete(briefly('Again.'), never)).isCutShort).toBe(false)
    expect(model.processId).not.toBe(killed)
  })

  it('ends with the reason of its signal, and the process goes on', async () => {
    const model = shared
    const stop = new AbortController()
    const events = await begin(model, stop.signal)
    const { processId } = model
    stop.abort(new Error('no longer wanted'))
    await expect(drain(events)).rejects.toThrow('no longer wanted')
    await model.complete(briefly('Next.'), never)
    expect(model.processId).toBe(processId)
    await expect(model.complete(task('Late.'), AbortSignal.abort(new Error('before')))).rejects.toThrow(
      'before',
    )
  })

  it('a reader who leaves frees it, and a process that does not stop in time is replaced', async () => {
    const model = openModel({}, { stopMs: 100 })
    const events = await begin(model)
    const { processId } = model
    process.kill(processId ?? 0, 'SIGSTOP')
    await events.return(undefined)
    await model.complete(briefly('Next.'), never)
    expect(model.processId).not.toBe(processId)
  })

  it('does one task at a time and lets so many wait and no more', async () => {
    const model = shared
    const events = await begin(model)
    const waiting = model.complete(briefly('Waits.'), never)
    const refused = await model.complete(task('Too many.'), never).catch((error: unknown) => error)
    // An outage: a job that finds the model busy with others' work waits for it, and loses no attempt.
    expect(refused).toBeInstanceOf(ServerOutage)
    expect(refused).toMatchObject({ kind: 'rate_limited', isTransient: true })
    await events.return(undefined)
    expect((await waiting).isCutShort).toBe(false)
  })

  it('who waits can leave', async () => {
    const model = shared
    const events = await begin(model)
    const stop = new AbortController()
    const waiting = model.complete(briefly('Waits.'), stop.signal)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await events.return(undefined)
  })

  it('takes no longer than its limit', async () => {
    const model = openModel({}, { timeoutMs: 1, stopMs: 1 })
    await expect(model.complete(task('Hello.'), never)).rejects.toMatchObject({ kind: 'timeout' })
  })

  it('refuses a file whose hash is another', async () => {
    const wrong = openModel({ sha256: 'a'.repeat(64) }).complete(briefly('Hello.'), never)
    await expect(wrong).rejects.toMatchObject({ kind: 'refused' })
    await expect(wrong).rejects.toThrow('its hash differs')
  })

  it('an idle process ends, and the next one refuses a file that changed meanwhile', async () => {
    const bytes = makeTinyGguf()
    const changing = await writeModel('changing', bytes)
    const model = openModel(changing, { idleMs: 50 })
    // Not to its end: from then on the process may go at any time.
    const events = await begin(model)
    const idle = model.processId ?? 0
    expect(isRunning(idle)).toBe(true)
    await events.return(undefined)
    await expect.poll(() => isRunning(idle), { timeout: 10_000 }).toBe(false)
    await expect.poll(() => model.processId, { timeout: 10_000 }).toBeNull()
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await writeFile(changing.file, bytes)
    await expect(model.complete(briefly('Hello.'), never)).rejects.toThrow('its hash differs')
  })

  it.each([
    ['in its weights', 0.6],
    ['in its header', 0.05],
  ])('refuses a file that was cut off %s, although its hash is right', async (_, share) => {
    const whole = makeTinyGguf()
    const cut = await writeModel('cut', whole.subarray(0, Math.floor(whole.length * share)))
    const answer = openModel(cut).complete(briefly('Hello.'), never)
    await expect(answer).rejects.toMatchObject({ kind: 'refused', isTransient: false })
    await expect(answer).rejects.toThrow('the file of the model cut is damaged or incomplete')
  })

  it('refuses a file that is not there', async () => {
    const gone = await writeModel('gone', Buffer.alloc(1))
    await rm(gone.file)
    await expect(openModel(gone).complete(briefly('Hello.'), never)).rejects.toThrow('is not there')
  })

  it('refuses a context for which there is no memory, before it takes any', async () => {
    const tokens = 4_000_000_000
    const large = await writeModel('large', makeTinyGguf({ contextTokens: tokens }))
    const answer = openModel({ ...large, contextTokens: tokens }).complete(briefly('Hello.'), never)
    await expect(answer).rejects.toMatchObject({ kind: 'refused', isTransient: false })
    await expect(answer).rejects.toThrow(
      /^there is not enough memory for the model large \(512\.0 GB with a context of 4000000000 tokens; [\d.]+ are free\)$/,
    )
  })

  it('says what to do where the runtime is missing', async () => {
    const answer = openModel({ runtimeFolder: folder }).complete(briefly('Hello.'), never)
    await expect(answer).rejects.toThrow('run "casenote model install"')
  })

  it('is proved and measured by a short and a long generation', async () => {
    const { facts, measured, setAside } = await proveModel(settings)
    expect(facts.gpu).toBe('none')
    expect(setAside).toEqual([])
    expect(measured.readTokensPerSecond).toBeGreaterThan(1)
    expect(measured.writeTokensPerSecond).toBeGreaterThan(1)
  })

  it('close ends its process at once, and nothing is begun any more', async () => {
    await shared.complete(briefly('Hello.'), never)
    const processId = shared.processId ?? 0
    expect(isRunning(processId)).toBe(true)
    await shared.close()
    expect(isRunning(processId)).toBe(false)
    await expect(shared.complete(briefly('Hello.'), never)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

async function drain(events: AsyncGenerator): Promise<void> {
  for await (const _ of events);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
