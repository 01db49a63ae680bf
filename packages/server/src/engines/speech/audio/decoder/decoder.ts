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
