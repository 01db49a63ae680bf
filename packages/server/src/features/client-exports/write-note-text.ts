import type { ProgressNote } from '@casenote/contract'
import type { NotePaper } from '../../engines/typeset/note-paper.js'

/** The note as plain text, with all that was added to it. */
export function writeNoteText(note: ProgressNote): string {
  const sections = note.note.map(({ title, content }) => `${title}\n${content}`)
  const addenda = note.addenda.map((addendum) => `${titleAddendum(addendum)}\n${addendum.text}`)
  return [note.template.title, describeSignature(note), ...sections, ...addenda].join('\n\n')
}

/** The note on paper. Times are told in UTC: where it was, nobody told us. */
export function toNotePaper(
  note: ProgressNote,
  about: {
    client: { firstName: string | null; lastName: string; dateOfBirth: string }
    clinician: string
    sessionAt: string
  },
): NotePaper {
  const { client, clinician, sessionAt } = about
  return {
    title: note.template.title,
    state: describeSignature(note),
    isDraft: note.finalizedAt === null,
    facts: [
      { label: 'Client', value: [client.firstName, client.lastName].filter(Boolean).join(' ') },
      { label: 'Date of birth', value: client.dateOfBirth },
      { label: 'Session', value: wordTime(sessionAt) },
      { label: 'Clinician', value: clinician },
      { label: 'Note', value: note.id },
    ],
    sections: note.note.map(({ title, content }) => ({ title, content })),
    addenda: note.addenda.map((addendum) => ({ title: titleAddendum(addendum), content: addendum.text })),
    origin: describeOrigin(note),
    datedAt: note.updatedAt,
  }
}

const wordTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`

const titleAddendum = ({ author, createdAt }: ProgressNote['addenda'][number]): string =>
  `${author.name ?? 'The partner’s system'}, ${wordTime(createdAt)}`

function describeSignature({ signedBy, coSignedBy, finalizedAt }: ProgressNote): string {
  if (signedBy === null)
    return finalizedAt === null ? 'DRAFT: nobody has signed this note' : `Finalized ${wordTime(finalizedAt)}`
  const who = ({ name, at }: NonNullable<ProgressNote['signedBy']>): string =>
    `${name ?? 'the partner’s system'}, ${wordTime(at)}`
  const first = `Signed by ${who(signedBy)}`
  if (coSignedBy !== null) return `${first}; co-signed by ${who(coSignedBy)}`
  return finalizedAt === null ? `DRAFT: ${first}; waits for a co-signature` : first
}

function describeOrigin({ writer, noteType }: ProgressNote): string {
  if (writer === null) return `Note type ${noteType}.`
  const how = writer.isExtract
    ? `Drafted without a language model, from quotes of what was said (${writer.model})`
    : `Drafted by a language model (${writer.engine}, ${writer.model})`
  return `${how}; whoever signed it answers for it. Note type ${noteType}.`
}
