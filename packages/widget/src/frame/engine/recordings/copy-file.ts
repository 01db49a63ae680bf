import { engineTexts } from '../../texts/texts.js'
import { EngineError } from '../engine.js'
import type { RecordingRow } from './recording-row.js'
import type { RecordingStore } from './recording-store.js'
import type { Vault } from './vault.js'

/** What the service takes as one upload. */
const fileBytesMax = 2 * 1024 ** 3
const sliceBytes = 1024 * 1024
/** Left free for the browser and for a recording that runs beside it. */
const roomBytesMin = 50 * 1024 * 1024

export async function requireRoom(bytes: number, otherwise: string): Promise<void> {
  const { quota, usage } = (await navigator.storage?.estimate()) ?? {}
  if (quota === undefined || usage === undefined) return
  if (quota - usage < bytes + roomBytesMin) throw new EngineError(otherwise, 0)
}

export async function requireFit({ size }: File): Promise<void> {
  if (size === 0) throw new EngineError(engineTexts.fileEmpty, 0)
  if (size > fileBytesMax) throw new EngineError(engineTexts.fileTooLarge, 0)
  await requireRoom(size, engineTexts.fileNoRoom)
}

/** Sealed slice by slice, never whole in memory; the upload follows behind. */
export async function copyFile(
  recordings: RecordingStore,
  vault: Vault,
  { recordingId }: RecordingRow,
  file: File,
): Promise<void> {
  const segment = await recordings.addSegment(recordingId, file.type || 'application/octet-stream')
  for (let start = 0; start < file.size; start += sliceBytes) {
    const plain = await file.slice(start, start + sliceBytes).arrayBuffer()
    await recordings.addSlice(vault, { recordingId, segment, plain, durationMs: 0 })
  }
  await recordings.end(recordingId)
}
