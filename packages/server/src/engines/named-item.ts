import type { SpeakerRole, TranscriptItem } from '@casenote/contract'

/** Who said a line, where several people besides the clinician are heard and somebody said who they are. */
export interface Person {
  /** As notes and prompts call them: "Ben, partner". */
  label: string
  name: string | null
  role: SpeakerRole | null
}

/** A line of a transcript as writers and checks are given it. */
export interface NamedItem extends TranscriptItem {
  person?: Person
  /** Where no voice is the client's: somebody said that this one is a parent's, say, and so not the client's. */
  isOther?: true
}
