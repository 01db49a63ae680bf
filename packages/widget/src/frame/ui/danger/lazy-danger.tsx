import { useEffect, useMemo } from 'preact/hooks'
import { Later } from '../parts/later.js'
import { useUi } from '../ui-context.js'
import { useRefresh } from '../use-refresh.js'
import { makeDangerList } from './danger-list.js'

/** With the session's screen, which is loaded as soon as the first screen stands: a part of its own would be one more call. */
const load = () => import('../loaded-later.js')

/** Open danger on home, and on a client's page. */
export function OpenDanger({ path, isOfManyClients = false }: { path: string; isOfManyClients?: boolean }) {
  const { engine } = useUi()
  const list = useMemo(() => makeDangerList(engine.api, path), [path])
  useEffect(() => void list.load(), [list])
  useRefresh(() => list.load())
  return (
    <Later
      load={load}
      pending={null}
      show={({ DangerStrip, ClosedDangerList }) => (
        <>
          <DangerStrip list={list} isOfManyClients={isOfManyClients} />
          {isOfManyClients ? null : <ClosedDangerList path={`${path}/closed`} />}
        </>
      )}
    />
  )
}
