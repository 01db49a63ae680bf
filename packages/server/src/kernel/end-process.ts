import { fileThreads } from './file-threads.js'

/** What still writes at a stop is done within milliseconds. */
const idleWithinMs = 1_000

/**
 * Node waits for its file threads when it exits, and one that stands in a folder that hangs never comes back: then the process lives until
 * somebody kills it. Ends it as the signal that asked for the stop would have, which is an orderly end for whoever supervises it; or
 * killed, where it is none.
 */
export function endWithoutFiles({ isOrderly }: { isOrderly: boolean }): void {
  process.removeAllListeners('SIGTERM')
  process.kill(process.pid, isOrderly ? 'SIGTERM' : 'SIGKILL')
}

/** Last of all: returns where the process ends by itself. */
export async function endDespiteHangingFiles(exitCode: string | number | null | undefined): Promise<void> {
  if (await fileThreads.isIdleWithin(idleWithinMs)) return
  process.stderr.write('casenote: a folder does not answer: the process ends without waiting for it\n')
  endWithoutFiles({ isOrderly: (exitCode ?? 0) === 0 })
}
