import { parentPort } from 'node:worker_threads'
import type { TranscriptItem } from '@casenote/contract'
import { editNote } from '../edits/edit-note.js'
import { deriveMdm } from './derive-mdm.js'
import type { ExtractCall, ExtractOrder, ExtractReply } from './extract-messages.js'
import { summarize } from './summarize.js'
import { writeNote } from './write-note.js'

/** The thread in which extracts are made: hours of talk take longer than a request may wait for. */

const port = parentPort
if (port === null) throw new Error('extracts are made in a thread')
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
const reply = (message: ExtractReply): void => port.postMessage(message)

port.on('message', ({ id, transcript, ...call }: ExtractOrder) => {
  try {
    const request = { ...call.request, transcript: JSON.parse(transcript) as TranscriptItem[] }
    reply({ id, kind: 'done', result: carryOut({ ...call, request } as ExtractCall) })
  } catch (error) {
    const { name, stack = '' } = error instanceof Error ? error : new Error('unknown')
    reply({ id, kind: 'failed', name, stack: placesOf(stack) })
  }
})

function carryOut(call: ExtractCall): unknown {
  if (call.method === 'editNote') return editNote(call.request, writeNote)
  if (call.method === 'deriveMdm') return deriveMdm(call.request)
  return call.method === 'summarize' ? summarize(call.request) : writeNote(call.request)
}

/** The places of our code alone: a message may quote the session. */
const placesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n')
