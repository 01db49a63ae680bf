import type { Transcript, TranscriptSpeaker } from '@casenote/contract'
import type { NamedItem, Person } from '../../engines/named-item.js'

/** With one person besides the clinician "the client" is who it is: nobody has to be told apart, and no name gets into a note. */
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
  if (persons.size === 0) return transcriptItems
  return transcriptItems.map((item) => {
    const person = item.voice === undefined ? undefined : persons.get(item.voice)
    return person === undefined ? item : { ...item, person }
  })
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
