import type { ChildProcess } from 'node:child_process'
import type { CageFacts } from './cage.js'

/** What reads recordings: an ffmpeg in a cage. */
export interface Decoder {
  readonly name: 'shipped' | 'native'
  /** What holds on this system. */
  readonly cage: CageFacts
  /** How ffmpeg is told to read what lies on its standard input. */
  nameInput(kind: 'stream' | 'file'): { protocol: string; address: string }
  /** The leader of a group of its own. */
  start(args: readonly string[], input: 'pipe' | { descriptor: number }): ChildProcess
  /** Exits with this when its own files are not the recorded ones. */
  readonly alteredExitCode: number | null
  close(): void
}

/** Decoding takes 20 to 60 MB of the module's memory, whatever the recording. */
export const memoryBytesMax = 512 * 1024 * 1024

/** Opus is read some 100 times as fast as it plays; three hours in an hour of CPU is a file made to be slow. */
export const cpuSecondsMax = 3600
