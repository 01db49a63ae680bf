import { Failure } from '../parts/failure.js'
import { Pending } from '../parts/pending.js'
import { useSession } from './session-context.js'

/** In the place of a note or a transcript that is not here yet: on its way, or not to be had. */
export function Unread({ lines }: { lines: number }) {
  const { unread, open } = useSession().model
  return unread.value === null ? <Pending lines={lines} /> : <Failure error={unread.value} onRetry={open} />
}
