import type { TranscriptItem } from '@casenote/contract'

/** Nobody was recorded: the transcript is what the clinician typed about the session (decision 0032). */
export const isAccount = (transcript: readonly TranscriptItem[]): boolean =>
  transcript.some(({ source }) => source === 'typed')
