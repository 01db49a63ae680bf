import { parentPort } from 'node:worker_threads'
import { cutAtVoiceChanges } from './cut-at-voice-changes.js'
import { openVoiceNetwork } from './voice-network.js'
import type { VoiceAnswers, VoiceQuestion, VoiceReply, VoiceRequest } from './voice-model.js'

/** The runtime computes on the thread that calls it, so the network lives on a thread of its own. */
const network = await openVoiceNetwork()
const port = parentPort!

const find = (question: VoiceQuestion): Promise<VoiceAnswers['embed']> | VoiceAnswers['cut'] =>
  question.kind === 'embed'
    ? network.embed(question.samples, question.windows)
    : cutAtVoiceChanges(question.speech, question.windows)

async function answer({ id, question }: VoiceRequest): Promise<void> {
  const reply: VoiceReply = { id }
  try {
    reply.found = await find(question)
  } catch (error) {
    reply.fault = error instanceof Error ? error.message : String(error)
  }
  if (question.kind === 'embed') reply.spare = question.samples.buffer as ArrayBuffer
  port.postMessage(reply, reply.spare ? [reply.spare] : [])
}

/** One after the other: each run has the core for itself, and closing waits for what was asked before. */
let last: Promise<void> = Promise.resolve()

async function handle(request: VoiceRequest | 'close', before: Promise<void>): Promise<void> {
  await before
  if (request !== 'close') return answer(request)
  port.close()
  await network.close()
}

port.on('message', (request: VoiceRequest | 'close') => {
  last = handle(request, last)
})
port.postMessage({ id: 0, found: [] })
