import type { AuthorizedFetch } from '../authorized-fetch.js'
import { readPad } from './pad.js'
import type { RecordingRow } from './recording-row.js'
import type { RecordingStore } from './recording-store.js'
import type { Vault } from './vault.js'

/** While somebody types: each sending is a row in the audit log. At the end it goes at once, before the recording is complete. */
const sendEveryMs = 15_000

export const isPadDue = ({ pad, isEnded }: RecordingRow, sentAtMs: number): boolean =>
  pad !== undefined &&
  pad.revision !== pad.sentRevision &&
  (isEnded || performance.now() - sentAtMs >= sendEveryMs)

export async function sendPad(
  parts: { recordings: RecordingStore; vault: Vault; authorizedFetch: AuthorizedFetch },
  row: RecordingRow,
  sessionId: string,
): Promise<void> {
  await parts.authorizedFetch(`/sessions/${sessionId}/pad`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await readPad(parts.vault, row)),
  })
}

/** There is nothing to send of it until the next word after that `revision`. */
export async function markPadSent(
  { recordings }: { recordings: RecordingStore },
  recordingId: string,
  revision: number,
): Promise<void> {
  await recordings.change(recordingId, ({ pad }) => {
    if (pad !== undefined) pad.sentRevision = revision
  })
}
