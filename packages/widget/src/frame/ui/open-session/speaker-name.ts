import type { Transcript, TranscriptItem } from '@casenote/contract'
import { fill } from '../../texts/fill.js'
import type { Texts } from '../../texts/texts.js'

export function nameSpeaker(speaker: string, texts: Texts): string {
  const { speaker: names } = texts.transcript
  if (speaker === 'clinician' || speaker === 'client') return names[speaker]
  return fill(names.other, { number: speaker.replace('speaker_', '') })
}

/** By the name that somebody gave them, else by who they are, else by the label. */
export function nameVoice(
  { speaker, voice }: Pick<TranscriptItem, 'speaker' | 'voice'>,
  { speakers = [] }: Partial<Transcript>,
  texts: Texts,
): string {
  // A label alone tells a voice where it is one voice's.
  const known = speakers.filter((one) =>
    voice === undefined ? one.speaker === speaker : one.voice === voice,
  )
  const [{ name, role } = { name: null, role: null }] = known.length === 1 ? known : []
  return name ?? (role === null ? nameSpeaker(speaker, texts) : texts.speakers.roles[role])
}

/** Each label once, in the order of speaking. */
export const listSpeakers = (items: readonly TranscriptItem[]): { label: string; sample: string }[] =>
  [...listSamples(items, ({ speaker }) => speaker)].map(([label, sample]) => ({ label, sample }))

/** The longest of the first lines of each, to tell the voice by; in the order of speaking. */
export function listSamples<Key>(
  items: readonly TranscriptItem[],
  keyOf: (item: TranscriptItem) => Key,
): Map<Key, string> {
  const samples = new Map<Key, string[]>()
  for (const item of items) {
    const lines = samples.get(keyOf(item)) ?? []
    if (lines.length < 5) lines.push(item.transcript)
    samples.set(keyOf(item), lines)
  }
  return new Map(
    [...samples].map(([key, lines]) => [
      key,
      lines.reduce((longest, line) => (line.length > longest.length ? line : longest), ''),
    ]),
  )
}
