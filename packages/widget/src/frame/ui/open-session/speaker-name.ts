import type { TranscriptItem } from '@casenote/contract'
import { fill } from '../../texts/fill.js'
import type { Texts } from '../../texts/texts.js'

export function nameSpeaker(speaker: string, texts: Texts): string {
  const { speaker: names } = texts.transcript
  if (speaker === 'clinician' || speaker === 'client') return names[speaker]
  return fill(names.other, { number: speaker.replace('speaker_', '') })
}

/** Each label once, in the order of speaking, with the longest of its first lines to tell the voice by. */
export function listSpeakers(items: readonly TranscriptItem[]): { label: string; sample: string }[] {
  const samples = new Map<string, string[]>()
  for (const { speaker, transcript } of items) {
    const lines = samples.get(speaker) ?? []
    if (lines.length < 5) lines.push(transcript)
    samples.set(speaker, lines)
  }
  return [...samples].map(([label, lines]) => ({
    label,
    sample: lines.reduce((longest, line) => (line.length > longest.length ? line : longest), ''),
  }))
}
