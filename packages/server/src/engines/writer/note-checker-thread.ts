import { parentPort } from 'node:worker_threads'
import { recheckNote, type RecheckRequest } from './check-evidence.js'

/** The thread in which changed notes are checked: with hours of talk to look through it takes longer than a request may. */

const port = parentPort
if (port === null) throw new Error('notes are checked in a thread')

/** Measured with three hours of talk: a note that is new in all its hundred sentences takes about a second. */
const searchWithinMs = 2_000

port.on('message', ({ id, request }: { id: number; request: RecheckRequest }) => {
  const until = performance.now() + searchWithinMs
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
  port.postMessage({ id, sections: recheckNote(request, () => performance.now() < until) })
})
