import type { Sealed } from './vault.js'

/** A recording on this device. Who was recorded is sealed; what is not tells ids, sizes and times. */
export interface RecordingRow {
  recordingId: string
  clinicianId: string
  startedAtMs: number
  /** A file that is being copied is of no use until it is whole. */
  source: 'microphone' | 'file'
  details: Sealed
  /** Ended by the clinician: what is left to do needs nobody. */
  isEnded: boolean
  /** Consent was withdrawn meanwhile, and the clinician said that what there is stays. */
  isKept?: boolean
  sessionId: string | null
  /** Under which the service knows it, where it does not take the rest of what it knew as `recordingId`. */
  takenAs?: string
  /** What was jotted down and marked; sent again whenever the revisions differ. */
  pad?: { sealed: Sealed; revision: number; sentRevision: number }
  /** What is off the record. None in rows of earlier versions. */
  gaps?: GapRow[]
  /** The other side of a call was recorded with it when it was last heard of. */
  hasOtherSide?: boolean
  segments: SegmentRow[]
  durationMs: number
}

export interface GapRow {
  id: string
  /** Where it begins in the recording, in seconds, and where it ends; the same where nothing was recorded. */
  start: number
  end: number
  /** Null: it goes on. */
  seconds: number | null
  at: string
  /** Where it lies as the sound is counted, of one that was recorded. */
  from?: SegmentPlace
  to?: SegmentPlace
  isSent?: boolean
}

/** Seconds of recorded sound in a segment. */
export interface SegmentPlace {
  segment: number
  seconds: number
}

/** One run of one recorder, with a header of its own: one upload. A crash or another microphone begins the next. */
export interface SegmentRow {
  uploadId: string
  mimeType: string
  bytes: number
  /** Length of its sound. Not in rows of earlier versions. */
  durationMs?: number
  /** How many of them the service has on its disk. */
  sentBytes: number
  /** Nothing is added any more. */
  isClosed: boolean
  /** The service knows that it is whole. */
  isSent: boolean
}
