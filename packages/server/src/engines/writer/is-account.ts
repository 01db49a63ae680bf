import type { TranscriptItem } from '@casenote/contract'

/** Nobody was recorded: the transcript is what the clinician typed about the session (decision 0032). */
export const isAccount = (transcript: readonly TranscriptItem[]): boolean =>
  transcript.some(({ source }) => source === 'typed')

export const listTyped = (transcript: readonly TranscriptItem[]): string[] =>
  transcript.filter(({ source }) => source === 'typed').map((item) => item.transcript)
