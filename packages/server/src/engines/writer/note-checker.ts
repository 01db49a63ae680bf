import { Worker } from 'node:worker_threads'
import type { NoteSection } from '@casenote/contract'
import { recheckNote, type RecheckRequest } from './check-evidence.js'

/** Checks the sentences of a note that somebody changed, off the caller's thread. */
export interface NoteChecker {
  recheck(request: RecheckRequest): Promise<NoteSection[]>
  close(): Promise<void>
}

/** The thread looks for evidence for two seconds and then only checks; longer is a thread in trouble. */
const answerWithinMs = 10_000

/** A thread takes compiled files only, also when this one is run from its source, as in tests. */
const threadFile = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../dist/engines/writer/note-checker-thread.js'
    : './note-checker-thread.js',
  import.meta.url,
)

/** One thread, started with the first note; a change that it cannot check is kept, its new sentences without evidence. */
export function makeNoteChecker(): NoteChecker {
  const waiting = new Map<number, (sections: NoteSection[] | null) => void>()
  let worker: Worker | null = null
  let nextId = 1
  const giveUp = (): void => {
    worker = null
    for (const settle of waiting.values()) settle(null)
  }
  const start = (): Worker => {
    const started = new Worker(threadFile, { resourceLimits: { maxOldGenerationSizeMb: 256 } })
    started.unref()
    started.on('message', ({ id, sections }: { id: number; sections: NoteSection[] }) =>
      waiting.get(id)?.(sections),
    )
    started.on('error', () => {})
    started.on('exit', () => {
      if (worker === started) giveUp()
    })
    return started
  }
  const ask = async (request: RecheckRequest): Promise<NoteSection[] | null> =>
    new Promise((resolve) => {
      worker ??= start()
      const id = nextId++
      const current = worker
      const timer = setTimeout(() => void current.terminate(), answerWithinMs)
      waiting.set(id, (sections) => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(sections)
      })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
      current.postMessage({ id, request })
    })
  return {
    recheck: async (request) => (await ask(request)) ?? keepKnown(request),
    close: async () => {
      await worker?.terminate()
    },
  }
}

/** Without a thread: what stayed is as it was, what is new has no evidence. No transcript is read, so this is quick. */
const keepKnown = ({ sections }: RecheckRequest): NoteSection[] =>
  recheckNote(
    { sections: sections.map((section) => ({ ...section, evidence: [] })), transcript: [], given: [] },
    () => false,
  ).map((section, index) => ({
    ...section,
    evidence: section.evidence.map(
      (entry) => sections[index]?.evidence.find(({ sentence }) => sentence === entry.sentence) ?? entry,
    ),
  }))
