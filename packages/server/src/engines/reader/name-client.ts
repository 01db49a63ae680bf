import type { NamedItem } from '../named-item.js'
import type { ReadRequest } from './reader-messages.js'

/**
 * Where the clinician is known and no voice is the client's, those who speak with them are: "I" is not another person. A voice of which somebody
 * said that it is another's keeps its label: what a parent says of themselves is not about the client.
 */
export function nameClient(transcript: readonly NamedItem[]): ReadRequest['items'] {
  const has = (name: string): boolean => transcript.some(({ speaker }) => speaker === name)
  const isUnnamed = has('clinician') && !has('client')
  return transcript.map(({ speaker, transcript: words, source, isOther }) => ({
    speaker: isUnnamed && speaker !== 'clinician' && isOther !== true ? 'client' : speaker,
    transcript: words,
    ...(source === undefined ? {} : { source }),
  }))
}
