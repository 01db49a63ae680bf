import type { SessionStatus } from '@casenote/contract'

interface SessionTransition {
  from: readonly SessionStatus[]
  to: SessionStatus
}

/** Decisions 5. `awaiting_audio` is only for the widget; `failed` is final, and so is `completed`. */
export const SESSION_TRANSITIONS = {
  receiveAudio: { from: ['awaiting_audio'], to: 'fetching' },
  startTranscribing: { from: ['fetching'], to: 'transcribing' },
  completeTranscript: { from: ['transcribing'], to: 'generating' },
  complete: { from: ['generating'], to: 'completed' },
  fail: { from: ['awaiting_audio', 'fetching', 'transcribing', 'generating'], to: 'failed' },
} as const satisfies Record<string, SessionTransition>

export type SessionAction = keyof typeof SESSION_TRANSITIONS

/** How far a session is when it reaches a status: transcribing an hour takes longest, writing comes next. */
export const PROGRESS_AT: Readonly<Record<Exclude<SessionStatus, 'failed'>, number>> = {
  awaiting_audio: 0,
  fetching: 0,
  transcribing: 0.1,
  generating: 0.7,
  completed: 1,
}

/** Why a session failed, in words for the partner. The list is fixed, so that nothing of the session gets into one. */
export const SESSION_FAILURES = {
  audio_missing: 'No recording was received',
  file_unreachable: 'The recording could not be fetched from fileUrl',
  file_too_large: 'The recording is too large',
  file_not_audio: 'The file is not a recording in a known format',
  speech_not_found: 'No speech was found in the recording',
  transcription_failed: 'The recording could not be transcribed',
  processing_failed: 'The session could not be processed',
} as const

export type SessionFailure = keyof typeof SESSION_FAILURES
