import type { DeliveryStatus, KeyKind, SessionStatus } from '@casenote/contract'

/** How a state looks; a sign stands with each, so that no state is told by its colour alone. */
export type Tone = 'good' | 'bad' | 'busy' | 'quiet'

export interface Worded {
  text: string
  tone: Tone
}

export const sessionWords: Readonly<Record<SessionStatus, Worded>> = {
  awaiting_audio: { text: 'Waiting for audio', tone: 'quiet' },
  fetching: { text: 'Fetching audio', tone: 'busy' },
  transcribing: { text: 'Transcribing', tone: 'busy' },
  generating: { text: 'Writing', tone: 'busy' },
  completed: { text: 'Completed', tone: 'good' },
  failed: { text: 'Failed', tone: 'bad' },
}

export const deliveryWords: Readonly<Record<DeliveryStatus, Worded>> = {
  pending: { text: 'Waiting', tone: 'quiet' },
  delivering: { text: 'Sending', tone: 'busy' },
  succeeded: { text: 'Delivered', tone: 'good' },
  failed: { text: 'Failed', tone: 'bad' },
  cancelled: { text: 'Cancelled', tone: 'quiet' },
}

/** The states of jobs: one that is parked has failed for good. */
const stepWords: Readonly<Record<string, Worded>> = {
  waiting: { text: 'Waiting', tone: 'quiet' },
  running: { text: 'Running', tone: 'busy' },
  done: { text: 'Done', tone: 'good' },
  parked: { text: 'Failed', tone: 'bad' },
}

export const keyWords: Readonly<Record<KeyKind, string>> = {
  api_key: 'API key',
  client_secret: 'Client secret',
  token_key: 'Token signing key',
  data_key: 'Data encryption key',
}

/** A state of a newer service is shown as it is called. */
export const wordStatus = (words: Readonly<Record<string, Worded>>, status: string): Worded =>
  words[status] ?? { text: spellOut(status), tone: 'quiet' }

export const wordStep = (state: string): Worded => wordStatus(stepWords, state)

/** `storedBytes`, `stored_bytes`, `fetch-audio` → Stored bytes, Fetch audio. */
export function spellOut(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
    .replaceAll(/\b(?:api|mdm|url|http|smtp)\b/g, (letters) => letters.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
