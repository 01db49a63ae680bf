import type { WidgetSession } from '@casenote/contract'
import { Icon } from './icon.js'
import { useTexts } from '../ui-context.js'

/** Where a session is, in one or two words. */
export function SessionChip({ session }: { session: WidgetSession }) {
  const { sessions, coSign } = useTexts()
  if (session.note.status === 'finalized') {
    return (
      <span class="chip good">
        <Icon name="lock" />
        {sessions.signed}
      </span>
    )
  }
  if (session.note.awaited !== null) {
    return (
      <span class="chip busy">
        <Icon name="lock" />
        {coSign.chip}
      </span>
    )
  }
  if (session.stage === 'failed') return <span class="chip danger">{sessions.stage.failed}</span>
  if (session.stage !== 'done') return <span class="chip busy">{sessions.stage[session.stage]}</span>
  if (session.note.status === 'failed' && !session.note.isLoading)
    return <span class="chip danger">{sessions.noteFailed}</span>
  return <span class="chip">{session.note.isLoading ? sessions.stage.writing : sessions.stage.done}</span>
}
