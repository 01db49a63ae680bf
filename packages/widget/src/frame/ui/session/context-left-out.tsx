import { fill } from '../../texts/fill.js'
import { useSession } from '../open-session/session-context.js'
import { Notice } from '../parts/notice.js'
import { useTexts } from '../ui-context.js'

/** What the page knew and the service refused does nothing for the note, and nothing in the note shows that. */
export function ContextLeftOut() {
  const { leftOut: words } = useTexts()
  const { session } = useSession()
  const { contextLeftOut: fields, note } = session
  if (fields.length === 0 || note.status === 'finalized') return null
  const hasNames = fields.includes('namesToKeepOut')
  return (
    <Notice kind={hasNames ? 'danger' : 'warning'} title={words.title}>
      {hasNames ? <p>{words.names}</p> : null}
      <p>{fill(words.body, { fields: fields.map((field) => words.fields[field]).join(', ') })}</p>
    </Notice>
  )
}
