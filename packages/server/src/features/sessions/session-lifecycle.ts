import type { SessionFailure as FailureAsTold, SessionStatus } from '@casenote/contract'
import { RECORDING_PROBLEMS } from '../../engines/speech/recording-problem.js'
import { DOWNLOAD_FAILURES } from '../../kernel/guarded-fetch/download-outcomes.js'

interface SessionTransition {
  from: readonly SessionStatus[]
  to: SessionStatus
}

/** Ruling 5. `awaiting_audio` is only for the widget; `failed` is final. */
export const SESSION_TRANSITIONS = {
  receiveAudio: { from: ['awaiting_audio'], to: 'fetching' },
  startTranscribing: { from: ['fetching'], to: 'transcribing' },
  completeTranscript: { from: ['transcribing'], to: 'generating' },
  complete: { from: ['generating'], to: 'completed' },
  /** The clinician's choice, before the recording is complete. */
  discard: { from: ['awaiting_audio'], to: 'failed' },
  /** It was recorded under the wrong client, whose recording is complete (decision 0024); one that failed stays so, for this. */
  withdraw: { from: ['fetching', 'transcribing', 'generating', 'completed', 'failed'], to: 'failed' },
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

type Prefixed<Prefix extends string, Texts> = {
  readonly [Code in keyof Texts & string as `${Prefix}_${Code}`]: string
}

const withPrefix = <Prefix extends string, Texts extends Readonly<Record<string, string>>>(
  prefix: Prefix,
  texts: Texts,
): Prefixed<Prefix, Texts> =>
  Object.fromEntries(Object.entries(texts).map(([code, text]) => [`${prefix}_${code}`, text])) as Prefixed<
    Prefix,
    Texts
  >

/** Why a session failed, in words for the partner. The list is fixed, so that nothing of the session gets into one. */
export const SESSION_FAILURES = {
  discarded: 'The recording was discarded',
  withdrawn: 'The session was withdrawn: it was recorded or typed under the wrong client',
  consent_missing: 'The recording was not fetched: the consent of the client to be recorded is missing',
  audio_missing: 'No recording was received',
  text_not_english: 'The text is not in English, the one language that notes are written from',
  language_not_heard: 'The speech engine does not know the language of the session',
  language_not_written:
    'The session was not in English, and without a language model notes are written from English only; its transcript is kept',
  transcription_failed: 'The recording could not be transcribed',
  processing_failed: 'The session could not be processed',
  no_room: 'There was no room for the recording: the quota of stored recordings is used up',
  ...withPrefix('fetch', DOWNLOAD_FAILURES),
  ...withPrefix('audio', RECORDING_PROBLEMS),
}

/** Nobody here understood it: the word of its clinician weighs more (decision 0033). */
export const isOfLanguage = (failureCode: string | null): boolean =>
  failureCode === 'audio_not_understood' || failureCode === 'text_not_english'

/** Ended by what was recorded or typed, or by its clinician: it would end so again. */
export const DECIDED_FAILURES: readonly string[] = [
  'discarded',
  'withdrawn',
  'text_not_english',
] satisfies SessionFailure[]

/** Something was wanting that may be there now. */
export const canBeTriedAgain = (failureCode: string | null): boolean =>
  failureCode !== null && !DECIDED_FAILURES.includes(failureCode) && !failureCode.startsWith('audio_')

export type SessionFailure = keyof typeof SESSION_FAILURES

/** A failure as the partner is told it. Null: the session has not failed. */
export function describeFailure(code: string): FailureAsTold
export function describeFailure(code: string | null): FailureAsTold | null
export function describeFailure(code: string | null): FailureAsTold | null {
  return code === null ? null : { code, message: wordFailure(code) ?? code, retryable: canBeTriedAgain(code) }
}

/** A code of a newer version is better than nothing. */
export const wordFailure = (code: string | null): string | null =>
  code === null ? null : (SESSION_FAILURES[code as SessionFailure] ?? code)
