import { parentPort } from 'node:worker_threads'
import { deriveMdm } from './derive-mdm.js'
import { editNote } from './edit-note.js'
import { summarize } from './summarize.js'
import { writeNote } from './write-note.js'
import type { WriterCall, WriterOrder, WriterReply } from './writer-messages.js'

/** The thread in which the embedded writer reads and writes: hours of talk take seconds, which no request may wait for. */

const port = parentPort
if (port === null) throw new Error('the writer runs in a thread')
const running = new Map<number, AbortController>()
const reply = (message: WriterReply): void => port.postMessage(message)

port.on('message', (order: WriterOrder) => {
  if (order.method === 'abort') running.get(order.id)?.abort()
  else void answer(order.id, order)
})

async function answer(id: number, call: WriterCall): Promise<void> {
  const controller = new AbortController()
  running.set(id, controller)
  try {
    reply({ id, kind: 'done', result: await carryOut(id, call, controller.signal) })
  } catch (error) {
    const { name, stack = '' } = error instanceof Error ? error : new Error('unknown')
    reply({ id, kind: 'failed', name, stack: placesOf(stack) })
  } finally {
    running.delete(id)
  }
}

async function carryOut(id: number, call: WriterCall, signal: AbortSignal): Promise<unknown> {
  if (call.method === 'editNote') return editNote(call.request, writeNote, signal)
  if (call.method === 'deriveMdm') return deriveMdm(call.request, signal)
  if (call.method === 'summarize') return summarize(call.request, signal)
  for await (const section of writeNote(call.request, signal)) reply({ id, kind: 'section', section })
  return null
}

/** The places of our code alone: a message may quote the session. */
const placesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n')
