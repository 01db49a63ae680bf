import { Notice } from '../parts/notice.js'
import { useTexts } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'

/** What nobody heard cannot be in the note, and nothing in the note shows that. */
export function OneVoice() {
  const { oneVoice: words } = useTexts()
  const { session } = useSession()
  if (!session.isOneVoice || session.note.status === 'finalized') return null
  return (
    <Notice kind="warning" title={words.title}>
      <p>{words.body}</p>
      <details>
        <summary>{words.help}</summary>
        <p>{words.now}</p>
        <p>{words.next}</p>
        <p>{words.alone}</p>
      </details>
    </Notice>
  )
}
