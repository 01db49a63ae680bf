import type { Transcript } from '@casenote/contract'
import { useLoad } from '../load.js'
import { Failure } from '../parts/failure.js'
import { Pending } from '../parts/pending.js'

/** A part of its own: most sessions are of two. */
const load = () => import('./people-dialog.js')

interface PeopleProps {
  transcript: Transcript
  onClose: () => void
  onSaved: () => void
}

export function People(props: PeopleProps) {
  const loaded = useLoad(load, [])
  const result = loaded.result.value
  if (result.state === 'loaded') return <result.value.PeopleDialog {...props} />
  if (result.state === 'loading') return <Pending />
  return <Failure error={result.error} onRetry={loaded.again} />
}
