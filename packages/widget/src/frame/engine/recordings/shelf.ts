import { signal, type ReadonlySignal } from '@preact/signals'
import { engineTexts } from '../../texts/texts.js'
import type { EngineError, SendingRecording, UnfinishedRecording } from '../engine.js'
import { listLocked } from './lock-recording.js'
import type { RecordingRow } from './recording-row.js'
import type { RecordingDetails, RecordingStore } from './recording-store.js'
import type { Vault } from './vault.js'

/** What lies on this device for the clinician who is signed in, as the screens see it. */
interface News {
  isOffline: boolean
  isFull: boolean
  problem: EngineError | null
}

const noNews: News = { isOffline: false, isFull: false, problem: null }

/** What is only in this page comes first: that can be lost. */
export const describeDanger = (isUnwritten: boolean | undefined, isFull: boolean): string | null =>
  isUnwritten ? engineTexts.storageFull : isFull ? engineTexts.serviceFull : null

export interface Shelf {
  unfinished: ReadonlySignal<UnfinishedRecording[]>
  sending: ReadonlySignal<SendingRecording[]>
  /** Reads again, here and in the other tabs. */
  tell: () => void
  refresh(): Promise<void>
  update(recordingId: string, news: Partial<News>): void
}

interface Parts {
  recordings: RecordingStore | null
  /** Null while nobody is signed in: then nothing is shown. */
  getVault: () => Vault | null
  /** The one that this tab records just now is not on the shelf. */
  getRunningId: () => string | null
  /** Another tab changed something. */
  onNews: () => void
}

export function makeShelf({ recordings, getVault, getRunningId, onNews }: Parts): Shelf {
  const unfinished = signal<UnfinishedRecording[]>([])
  const sending = signal<SendingRecording[]>([])
  const known = new Map<string, News>()
  const channel = new BroadcastChannel('casenote-recordings')
  channel.addEventListener('message', () => {
    onNews()
    void refresh()
  })

  async function refresh(): Promise<void> {
    const vault = getVault()
    const rows = vault === null ? [] : ((await recordings?.list(vault.clinicianId)) ?? [])
    const locked = await listLocked()
    const shown: UnfinishedRecording[] = []
    const going: SendingRecording[] = []
    for (const row of rows) {
      const details = vault === null ? null : await readDetails(vault, row)
      // Sealed with a key that the service no longer has: nobody can read it.
      if (details === null) continue
      const one = describe(row, details)
      const { isFull, ...news } = known.get(row.recordingId) ?? noNews
      if (row.isEnded || row.source === 'file') {
        const warning = describeDanger(recordings?.isUnwritten(row.recordingId), isFull)
        going.push({ ...one, sessionId: row.sessionId, ...news, warning })
      }
      if (!row.isEnded && row.source === 'microphone' && row.recordingId !== getRunningId()) {
        const startedAt = new Date(row.startedAtMs).toISOString()
        const isOpenElsewhere = locked.has(row.recordingId)
        shown.push({ ...one, startedAt, seconds: row.durationMs / 1000, isOpenElsewhere })
      }
    }
    if (getVault() !== vault) return
    unfinished.value = shown
    sending.value = going
  }

  const readDetails = (vault: Vault, row: RecordingRow): Promise<RecordingDetails | null> =>
    recordings?.readDetails(vault, row).catch(() => null) ?? Promise.resolve(null)

  return {
    unfinished,
    sending,
    refresh,
    tell: () => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
      channel.postMessage('changed')
      void refresh()
    },
    update: (recordingId, news) => {
      const before = known.get(recordingId) ?? noNews
      known.set(recordingId, { ...before, ...news })
      void refresh()
    },
  }
}

function describe(row: RecordingRow, { clientId, clientLabel, isDictated = false }: RecordingDetails) {
  const sum = (of: 'bytes' | 'sentBytes'): number => row.segments.reduce((total, one) => total + one[of], 0)
  return {
    recordingId: row.recordingId,
    clientId,
    clientLabel,
    isDictated,
    recordedBytes: sum('bytes'),
    uploadedBytes: sum('sentBytes'),
  }
}
