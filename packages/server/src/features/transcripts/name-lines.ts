import type { Transcript, TranscriptSpeaker } from '@casenote/contract'
import type { NamedItem, Person } from '../../engines/named-item.js'

/**
 * The lines with who said each. With one person besides the clinician "the client" is who it is: nobody has to be told apart, and no name
 * gets into a note.
 */
export function nameLines({ transcriptItems, speakers = [] }: Transcript): NamedItem[] {
  const people = speakers.filter(({ speaker }) => speaker !== 'clinician')
  const persons = new Map(
    people.length < 2
      ? []
      : speakers.flatMap((one) => {
          const person = toPerson(one, speakers)
          return person === null ? [] : [[one.voice, person] as const]
        }),
  )
  const others = listOthers(speakers)
  if (persons.size === 0 && others.size === 0) return transcriptItems
  return transcriptItems.map((item) => {
    const person = item.voice === undefined ? undefined : persons.get(item.voice)
    const isOther = item.voice !== undefined && others.has(item.voice)
    if (person === undefined && !isOther) return item
    return { ...item, ...(person ? { person } : {}), ...(isOther ? { isOther } : {}) }
  })
}

/** Only where the reader would take whoever speaks with the clinician for the client. */
function listOthers(speakers: readonly TranscriptSpeaker[]): Set<number> {
  const has = (label: string): boolean => speakers.some(({ speaker }) => speaker === label)
  if (!has('clinician') || has('client')) return new Set()
  return new Set(
    speakers.flatMap(({ voice, speaker, role }) => (speaker === 'clinician' || role === null ? [] : [voice])),
  )
}

/** Null: nothing more is known than the label tells. */
function toPerson(speaker: TranscriptSpeaker, all: readonly TranscriptSpeaker[]): Person | null {
  const { voice, name, role } = speaker
  const known =
    role ?? (speaker.speaker === 'client' || speaker.speaker === 'clinician' ? speaker.speaker : null)
  const told = known === 'other' ? null : known
  if (name !== null) return { label: told === null ? name : `${name}, ${told}`, name, role: known }
  if (told === null || told === 'client' || told === 'clinician') return null
  const isOnly = all.every((other) => other === speaker || other.role !== role)
  const word = `${told.charAt(0).toUpperCase()}${told.slice(1)}`
  return { label: isOnly ? word : `${word}, speaker ${voice}`, name, role: known }
}
