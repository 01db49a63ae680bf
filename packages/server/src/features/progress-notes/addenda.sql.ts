import type { NoteSigner } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import type { NoteId, SignerId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** An addendum as the database's JSON has it: the sealed text in base64, the moment as text. */
export interface SealedAddendum {
  number: number
  id: string
  kind: NoteSigner['kind']
  authorId: SignerId
  authorName: string | null
  sealedText: string
  createdAt: string
}

/** The number of addenda of the note `n` of the statement around it. */
export const addendaCountColumn = `(select count(*)::int from casenote.note_addenda a
  where a.tenant_id = n.tenant_id and a.note_id = n.note_id)`

/** All of them, oldest first: the table's check bounds them. */
export const addendaColumn = `coalesce((select json_agg(json_build_object('number', a.number, 'id', a.addendum_id,
    'kind', a.author_kind, 'authorId', a.author_id, 'authorName', c.first_name || ' ' || c.last_name,
    'sealedText', encode(a.sealed_text, 'base64'), 'createdAt', a.created_at) order by a.number)
  from casenote.note_addenda a
  left join casenote.clinicians c
    on a.author_kind = 'clinician' and c.tenant_id = a.tenant_id and c.clinician_id = a.author_id
  where a.tenant_id = n.tenant_id and a.note_id = n.note_id), '[]')`

export const insertAddendum = (
  tenant: TenantScope,
  row: {
    noteId: NoteId
    number: number
    addendumId: string
    author: Pick<NoteSigner, 'kind' | 'id'>
    sealedText: Buffer
  },
): Statement => ({
  name: 'insert_note_addendum',
  text: `insert into casenote.note_addenda
      (tenant_id, note_id, number, addendum_id, author_kind, author_id, sealed_text)
    values ($1, $2, $3, $4, $5, $6, $7)`,
  values: [
    tenant.tenantId,
    row.noteId,
    row.number,
    row.addendumId,
    row.author.kind,
    row.author.id,
    row.sealedText,
  ],
})
