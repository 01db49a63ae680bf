import { isAccountItem, type TranscriptItem } from '@casenote/contract'

/** The session was not recorded: the transcript is what the clinician typed or dictated about it (decisions 0032 and 0053). */
export const isAccount = (transcript: readonly TranscriptItem[]): boolean => transcript.some(isAccountItem)

/** What it is an account of, where it is one, and how the clinician gave it. */
export interface Account {
  lines: readonly string[]
  how: NonNullable<TranscriptItem['source']>
}

/** Null: it is talk. */
export function findAccount(transcript: readonly TranscriptItem[]): Account | null {
  const items = transcript.filter(isAccountItem)
  const how = items[0]?.source
  return how === undefined ? null : { lines: items.map((item) => item.transcript), how }
}
