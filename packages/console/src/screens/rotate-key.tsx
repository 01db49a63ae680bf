import { useState } from 'preact/hooks'
import type { KeyKind } from '../answers.js'
import { useConsole } from '../console-state.js'
import { Dialog } from '../ui/dialog.js'
import { Copy, Do, Problem } from '../ui/parts.js'
import { useAct } from '../use-act.js'
import { keyWords } from '../words.js'

/** What a partner holds, and what only the service holds. */
const partnerKinds: readonly KeyKind[] = ['api_key', 'client_secret', 'webhook_secret']
const operatorKinds: readonly KeyKind[] = [...partnerKinds, 'token_key', 'data_key']

interface RotateKeyProps {
  path: string
  isOperator: boolean
  onClose: () => void
}

export function RotateKey({ path, isOperator, onClose }: RotateKeyProps) {
  const desk = useConsole()
  const act = useAct()
  const [kind, setKind] = useState<KeyKind>('api_key')
  const [isNow, setNow] = useState(false)
  const [made, setMade] = useState<{ secret: string | null } | null>(null)
  const rotate = async (): Promise<void> => {
    const body = { kind, now: isNow }
    const done = await act.run(() =>
      desk.call<{ secret?: string | null } | null>('POST', `${path}/rotate`, { body }),
    )
    if (done !== null) setMade({ secret: done.value?.secret ?? null })
  }
  if (made !== null)
    return (
      <Dialog title={`The new ${keyWords[kind].toLowerCase()}`} onClose={onClose}>
        <Made secret={made.secret} />
      </Dialog>
    )
  return (
    <Dialog title="Rotate a key" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void rotate()
        }}
      >
        <label class="field full">
          <span>Which</span>
          <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value as KeyKind)}>
            {(isOperator ? operatorKinds : partnerKinds).map((one) => (
              <option key={one} value={one}>
                {keyWords[one]}
              </option>
            ))}
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isNow}
            onChange={({ currentTarget }) => setNow(currentTarget.checked)}
          />
          <span>
            The old one ends at once, for example after a theft. Otherwise it stays good for a while.
          </span>
        </label>
        <Problem text={act.problem} />
        <Do kind={isNow ? 'danger' : 'main'} isBusy={act.isBusy}>
          Rotate
        </Do>
      </form>
    </Dialog>
  )
}

function Made({ secret }: { secret: string | null }) {
  if (secret === null)
    return <p role="status">It was made. Only the service holds it, so there is nothing to copy.</p>
  return (
    <>
      <p role="status">It is shown this once. Put it where your systems keep their secrets.</p>
      <p class="secret">
        <code>{secret}</code>
      </p>
      <p>
        <Copy text={secret} label="Copy" />
      </p>
    </>
  )
}
