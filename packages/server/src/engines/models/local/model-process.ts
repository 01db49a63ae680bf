// A process of its own: a variant of the runtime may end it with SIGILL, the system for want of memory, and an operator
// or a deadline at any time. It logs nothing: it sees what was said.
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { EngineFault } from '../../engine-fault.js'
import { generateAnswer, type Generation } from './generate-answer.js'
import type { ModelReply, ModelRequest } from './model-messages.js'
import { openModel, type OpenModel } from './open-model.js'

let open: OpenModel | null = null
let opening: Promise<void> = Promise.resolve()
let stoppedId: number | null = null

const send = (reply: ModelReply): void => void process.send?.(reply)

async function start({ settings, knownFingerprint }: Extract<ModelRequest, { kind: 'open' }>): Promise<void> {
  try {
    open = await openModel(settings, knownFingerprint, (variants) => send({ kind: 'loading', variants }))
    send({ kind: 'ready', facts: open.facts })
  } catch (error) {
    const fault = toFault(error, 'the local model could not be loaded')
    process.send?.({ kind: 'fault', id: null, ...fault } satisfies ModelReply, () => leave())
  }
}

async function generate(request: Generation): Promise<void> {
  const { id } = request
  await opening
  // It could not be loaded, and that has been told.
  if (open === null) return
  try {
    const end = await generateAnswer(
      open,
      request,
      () => stoppedId === id,
      (text) => send({ kind: 'text', id, text }),
    )
    if (end.isStopped) send({ kind: 'stopped', id })
    else send({ kind: 'end', id, isCutShort: end.isCutShort, figures: end.figures })
  } catch (error) {
    // What was read half may not be what the next call takes it for.
    await open.sequence.clearHistory().catch(() => leave())
    send({ kind: 'fault', id, ...toFault(error, 'the local model failed in an answer') })
  }
}

/** Other messages than ours stay here: the runtime's may quote the prompt. */
const toFault = (
  error: unknown,
  otherwise: string,
): Pick<Extract<ModelReply, { kind: 'fault' }>, 'fault' | 'message'> =>
  error instanceof EngineFault
    ? { fault: error.kind, message: error.message }
    : { fault: 'unavailable', message: otherwise }

/** At once: an orderly exit waits for the threads that are still at work. */
const leave = (): void => void process.kill(process.pid, 'SIGKILL')

/** What the system takes when cores or memory run out, before it takes the service. */
function standBack(): void {
  for (const step of [() => setPriority(10), () => writeFileSync('/proc/self/oom_score_adj', '500')]) {
    try {
      step()
    } catch {
      // A container may forbid it, and other systems have no such file.
    }
  }
}

standBack()
// Nobody is left to answer to.
process.on('disconnect', leave)
process.on('message', (request: ModelRequest) => {
  if (request.kind === 'open') opening = start(request)
  else if (request.kind === 'generate') void generate(request)
  else stoppedId = request.id
})
