import { fileThreads } from './file-threads.js'

/**
 * What still writes at a stop is done within milliseconds, and within a second or two on a disk that is busy with others: that is no folder
 * that hangs, and the end is a usual one. A stop gives folders up after 8 s and must be over after 14.
 */
const idleWithinMs = 5_000

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
