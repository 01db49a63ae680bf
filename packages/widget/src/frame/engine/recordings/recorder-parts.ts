import type { EventDetail, WidgetEvent } from '../../../protocol.js'
import type { AuthorizedFetch } from '../authorized-fetch.js'
import type { Recorder } from '../engine.js'
import type { Outbox } from './outbox.js'
import type { Pad } from './pad.js'
import type { RecordingStore } from './recording-store.js'
import type { RunningRecording } from './running-recording.js'
import type { Sending } from './send-recording.js'
import type { Vault } from './vault.js'

export interface RecorderParts {
  recordings: RecordingStore | null
  authorizedFetch: AuthorizedFetch
  whenSignedIn: () => Promise<void>
  raise: (event: WidgetEvent, detail: EventDetail) => void
  /** Into sight, where the page shows only its button. */
  open: () => void
  /** The whole recording is at the service. */
  onSent: (sessionId: string) => void
}

export interface RecorderControl extends Recorder {
  /** The clinician's own recordings are offered, and what was ended goes on being sent. */
  signIn(vault: Vault): Promise<void>
  /** Stops everything at once; what is not at the service stays, sealed, for the same clinician. */
  signOut(): void
  /** Something that it takes is not on the disk yet. */
  isBusy(): boolean
}

/** What there is once somebody is signed in where recordings can be kept. */
export interface Ready {
  recordings: RecordingStore
  outbox: Outbox
  vault: Vault
}

/** The recording of this tab. */
export interface Active {
  pad: Pad
  running: RunningRecording
  sending: Sending
  recordingId: string
  clientId: string
  /** What the page is told of it. */
  detail: Record<string, string>
  release: () => void
  unfollow: () => void
}

export function letGo({ sending, release }: Active): void {
  sending.stop()
  release()
}

/** Not there while the service has not answered: an empty one would be filed under. */
export const withSession = (detail: EventDetail, sessionId: string | null | undefined): EventDetail =>
  sessionId ? { ...detail, sessionId } : detail
