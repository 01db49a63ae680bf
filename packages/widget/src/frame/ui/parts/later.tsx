import type { JSX } from 'preact'
import { useLoad } from '../load.js'
import { Failure } from './failure.js'
import { Pending } from './pending.js'

/** What is in a bundle of its own, asked for when it is shown. `pending` stands there until it has come. */
export function Later<Parts>({
  load,
  pending = <Pending />,
  show,
}: {
  load: () => Promise<Parts>
  pending?: JSX.Element | null
  show: (parts: Parts) => JSX.Element
}) {
  const loaded = useLoad(load, [])
  const result = loaded.result.value
  if (result.state === 'loaded') return show(result.value)
  if (result.state === 'loading') return pending
  return <Failure error={result.error} onRetry={loaded.again} />
}
