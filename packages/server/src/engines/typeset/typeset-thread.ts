import { parentPort } from 'node:worker_threads'
import type { NotePaper } from './note-paper.js'
import { typesetNote } from './typeset-note.js'

/** Measuring and breaking the lines of a long note takes a second, for which nobody else waits. */
parentPort?.on('message', (paper: NotePaper) => {
  void typesetNote(paper).then(
    (pdf) => parentPort?.postMessage(new Uint8Array(pdf), []),
    // What failed may quote the note; the caller only needs to know that there is no answer.
    () => parentPort?.postMessage(null, []),
  )
})
