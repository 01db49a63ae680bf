import { engineTexts } from '../../texts/texts.js'
import { EngineError } from '../engine.js'
import { readPad } from './pad.js'
import type { RecordingRow } from './recording-row.js'
import type { RecordingStore } from './recording-store.js'
import type { Vault } from './vault.js'

/** What is here of a recording, not sealed any more; one file for each of its segments, and one of what was jotted down. */
export async function readFiles(
  recordings: RecordingStore,
  vault: Vault,
  row: RecordingRow,
): Promise<File[]> {
  const { recordingId, segments, startedAtMs } = row
  const day = new Date(startedAtMs).toISOString().slice(0, 10)
  const { text, markers } = await readPad(vault, row)
  const moments = markers.map(
    ({ atSeconds }) => `⚑ ${new Date(atSeconds * 1000).toISOString().slice(11, 19)}`,
  )
  const words = [text, ...moments].join('\n').trim()
  const sound = await Promise.all(
    segments.map(async ({ bytes, mimeType }, segment) => {
      const blob = await recordings.readBytes(vault, { recordingId, segment }, 0, bytes)
      // The device was full, and what the service had made room for the rest.
      if (blob.size < bytes) throw new EngineError(engineTexts.failed, 0)
      const ending = mimeType.split(/[/;]/)[1]
      return new File([blob], `recording-${day}-${segment + 1}.${ending}`)
    }),
  )
  return words === '' ? sound : [...sound, new File([words], `recording-${day}.txt`)]
}
