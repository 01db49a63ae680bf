import type { ProgressNote } from '@casenote/contract'
import { Later } from '../parts/later.js'
import { useUi } from '../ui-context.js'
import { Opened } from './lazy-plans.js'

/** With the plans: most notes are read without a look at them. */
const load = () => import('./plans.js')

/** Below the note, where the client has goals. */
export function NoteGoals({ note }: { note: ProgressNote }) {
  const { texts } = useUi()
  if (note.goals.length === 0) return null
  return (
    <Opened title={texts.value.plans.progress}>
      <Later load={load} show={({ GoalProgress }) => <GoalProgress note={note} />} />
    </Opened>
  )
}
