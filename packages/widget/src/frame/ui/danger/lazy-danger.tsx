import { useEffect, useMemo } from 'preact/hooks'
import { useLoad } from '../load.js'
import { Failure } from '../parts/failure.js'
import { useUi } from '../ui-context.js'
import { useRefresh } from '../use-refresh.js'
import { makeDangerList } from './danger-list.js'

/** With the session's screen, which is loaded as soon as the first screen stands: a part of its own would be one more call. */
const load = () => import('../loaded-later.js')

/** Open danger on home, and on a client's page. */
export function OpenDanger({ path, isOfManyClients = false }: { path: string; isOfManyClients?: boolean }) {
  const { engine } = useUi()
  const list = useMemo(() => makeDangerList(engine.api, path), [path])
  const loaded = useLoad(load, [])
  useEffect(() => void list.load(), [list])
  useRefresh(() => list.load())
  const result = loaded.result.value
  if (result.state === 'loading') return null
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  const { DangerStrip, ClosedDangerList } = result.value
  return (
    <>
      <DangerStrip list={list} isOfManyClients={isOfManyClients} />
      {isOfManyClients ? null : <ClosedDangerList path={`${path}/closed`} />}
    </>
  )
}
