import { useState } from 'preact/hooks'
import type { ConsoleEndpoint, ConsoleRecovered } from '@casenote/contract'
import { useConsole, useTenantPath } from '../console-state.js'
import { timeZone } from '../format.js'
import { Dialog } from '../ui/dialog.js'
import { Field } from '../ui/field.js'
import { Button, Problem } from '../ui/parts.js'
import { useAct } from '../use-act.js'

const dayMs = 86_400_000

/** As a field of the browser wants it, in the person's own time. */
function toLocal(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** Sends everything again that an endpoint did not take since a time. */
export function Recover({ endpoint, onClose }: { endpoint: ConsoleEndpoint; onClose: () => void }) {
  const desk = useConsole()
  const act = useAct()
  const path = `${useTenantPath()}/endpoints/${encodeURIComponent(endpoint.id)}/recover`
  const [since, setSince] = useState(() => toLocal(new Date(Date.now() - dayMs)))
  const [count, setCount] = useState<number | null>(null)
  const recover = async (): Promise<void> => {
    const body = { since: new Date(since).toISOString() }
    const done = await act.run(() => desk.call<ConsoleRecovered>('POST', path, { body }))
    if (done !== null) setCount(done.value.count)
  }
  return (
    <Dialog title={`Recover ${endpoint.host}`} onClose={onClose}>
      <p>Everything that failed or was cancelled since this time is sent again.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void recover()
        }}
      >
        <Field label={`Since (${timeZone()})`} type="datetime-local" value={since} onType={setSince} />
        <Problem text={act.problem} />
        <Button kind="main" isBusy={act.isBusy}>
          Recover
        </Button>
      </form>
      <p role="status">
        {act.isBusy && 'Working …'}
        {count !== null &&
          !act.isBusy &&
          `${count} ${count === 1 ? 'delivery waits' : 'deliveries wait'} to be sent again.`}
      </p>
    </Dialog>
  )
}
