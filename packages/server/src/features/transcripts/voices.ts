import {
  isAccountItem,
  type SpeakersChange,
  type TranscriptItem,
  type TranscriptSpeaker,
} from '@casenote/contract'

/** What is kept of who somebody is. */
export interface KeptSpeaker {
  voice: number
  name: string | null
  role: TranscriptSpeaker['role']
}

/**
 * Each line with the number of its voice. Where no more than two were heard, and of the time before voices were kept, the labels tell them
 * apart, in the order of speaking; whoever changes a label keeps the numbers with the lines, so that two of one label stay two.
 */
export function withVoices(items: readonly TranscriptItem[]): TranscriptItem[] {
  const highest = items.reduce((most, { voice = 0 }) => Math.max(most, voice), 0)
  const numbers = new Map<string, number>()
  const numberOf = (label: string): number => {
    const number = numbers.get(label) ?? highest + numbers.size + 1
    numbers.set(label, number)
    return number
  }
  return items.map((item) =>
    isAccountItem(item) || item.voice !== undefined ? item : { ...item, voice: numberOf(item.speaker) },
  )
}

/** Whoever has a line, by number. A role that does not fit the label any more, since somebody corrected that, is none. */
export function listSpeakers(
  items: readonly TranscriptItem[],
  kept: readonly KeptSpeaker[],
): TranscriptSpeaker[] {
  const labels = labelsOf(items)
  const known = new Map(kept.map((one) => [one.voice, one]))
  return [...labels]
    .toSorted(([one], [other]) => one - other)
    .map(([voice, speaker]) => {
      const { name = null, role = null } = known.get(voice) ?? {}
      return { voice, speaker, name, role: role !== null && fits(role, speaker) ? role : null }
    })
}

const labelsOf = (items: readonly TranscriptItem[]): Map<number, string> => {
  const labels = new Map<number, string>()
  for (const { voice, speaker } of items)
    if (voice !== undefined && !labels.has(voice)) labels.set(voice, speaker)
  return labels
}

const isLabel = (role: string): boolean => role === 'client' || role === 'clinician'

const fits = (role: NonNullable<TranscriptSpeaker['role']>, speaker: string): boolean =>
  isLabel(role) ? role === speaker : !isLabel(speaker)

/** No mark that a line of a note or of a prompt is read by. */
const isName = (text: string): boolean => /^[\p{L}\p{M}\p{N} .,'’-]+$/u.test(text)

export function findSpeakerProblems(
  items: readonly TranscriptItem[],
  { speakers, lines = [] }: SpeakersChange,
): string[] {
  const voices = new Set(items.flatMap(({ voice }) => voice ?? []))
  const seen = new Set<number>()
  return [
    ...speakers.flatMap(({ voice, name }, index) => {
      const problems = voices.has(voice) ? [] : [`speakers.${index}.voice must be a voice of the transcript`]
      if (seen.has(voice)) problems.push(`speakers.${index}.voice must not be given twice`)
      seen.add(voice)
      if (name != null && !isName(name))
        problems.push(`speakers.${index}.name must have letters, digits, spaces and . , ' - only`)
      return problems
    }),
    ...lines.flatMap(({ item, voice }, index) => [
      ...(items[item]?.voice === undefined ? [`lines.${index}.item must be an item of the transcript`] : []),
      ...(voices.has(voice) ? [] : [`lines.${index}.voice must be a voice of the transcript`]),
    ]),
  ]
}

/**
 * The lines with their voices as given, and each voice with the label that its role asks for. A label is of all lines of a voice, or of
 * none: whoever is neither client nor clinician is a `speaker_N` that nobody else is.
 */
export function relabel(
  items: readonly TranscriptItem[],
  { speakers, lines = [] }: SpeakersChange,
): TranscriptItem[] {
  const labels = labelsOf(items)
  const moved = new Map(lines.map(({ item, voice }) => [item, voice]))
  for (const { voice, role } of speakers) {
    const label = labels.get(voice)
    if (role == null || label === undefined || fits(role, label)) continue
    labels.set(voice, isLabel(role) ? role : findFree(voice, new Set(labels.values())))
  }
  return items.map((item, index) => {
    const voice = moved.get(index) ?? item.voice
    const speaker = voice === undefined ? item.speaker : (labels.get(voice) ?? item.speaker)
    return voice === undefined || (voice === item.voice && speaker === item.speaker)
      ? item
      : { ...item, voice, speaker }
  })
}

const findFree = (voice: number, taken: ReadonlySet<string>): string => {
  let number = voice
  while (taken.has(`speaker_${number}`)) number += 1
  return `speaker_${number}`
}

/** What is given takes the place of what was known; the rest stays. */
export function changeSpeakers(kept: readonly KeptSpeaker[], { speakers }: SpeakersChange): KeptSpeaker[] {
  const known = new Map(kept.map(({ voice, name, role }) => [voice, { voice, name, role }]))
  for (const { voice, ...given } of speakers) {
    const { name, role } = known.get(voice) ?? { name: null, role: null }
    known.set(voice, {
      voice,
      name: given.name === undefined ? name : given.name,
      role: given.role === undefined ? role : given.role,
    })
  }
  return [...known.values()]
    .filter(({ name, role }) => name !== null || role !== null)
    .toSorted((one, other) => one.voice - other.voice)
}
