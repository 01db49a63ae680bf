import { useState } from 'preact/hooks'
import type { ConsoleRotated, KeyKind } from '@casenote/contract'
import { useConsole } from '../console-state.js'
import { Dialog } from '../ui/dialog.js'
import { Button, Copy, Problem } from '../ui/parts.js'
import { useAct } from '../use-act.js'
import { keyWords } from '../words.js'

/** What becomes of the old one, and of more where it is asked for at once, for example after a theft. */
const endings: Readonly<Record<KeyKind, { old: string; atOnce: string | null }>> = {
  api_key: {
    old: 'The old key stops within 5 seconds.',
    atOnce: 'Every token signed so far stops, too.',
  },
  client_secret: {
    old: 'The old secret works for 24 more hours. Webhooks are signed with the secret, too.',
    atOnce: 'The old secret and every token signed so far stop within 5 seconds.',
  },
  token_key: {
    old: 'What the old key signed stays good.',
    atOnce: 'Every token signed so far stops within 5 seconds.',
  },
  data_key: { old: 'What the old key sealed stays readable.', atOnce: null },
}

/** Data keys are the operator's. */
const listKinds = (isOperator: boolean): KeyKind[] =>
  (Object.keys(endings) as KeyKind[]).filter((kind) => isOperator || kind !== 'data_key')

interface RotateKeyProps {
  path: string
  isOperator: boolean
  onClose: () => void
}

export function RotateKey({ path, isOperator, onClose }: RotateKeyProps) {
  const desk = useConsole()
  const act = useAct()
  const [kind, setKind] = useState<KeyKind>('api_key')
  const [isAtOnce, setAtOnce] = useState(false)
  const [made, setMade] = useState<{ secret: string | null } | null>(null)
  const { old, atOnce } = endings[kind]
  const rotate = async (): Promise<void> => {
    const body = { kind, now: isAtOnce && atOnce !== null }
    const done = await act.run(() => desk.call<ConsoleRotated>('POST', `${path}/rotate`, { body }))
    if (done !== null) setMade(done.value)
  }
  if (made !== null)
    return (
      <Dialog key="made" title={`The new ${keyWords[kind]}`} onClose={onClose}>
        <Made secret={made.secret} />
      </Dialog>
    )
  return (
    <Dialog key="ask" title="Rotate a key" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void rotate()
        }}
      >
        <label class="field full">
          <span>Which</span>
          <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value as KeyKind)}>
            {listKinds(isOperator).map((one) => (
              <option key={one} value={one}>
                {keyWords[one]}
              </option>
            ))}
          </select>
        </label>
        <p>{old}</p>
        {atOnce !== null && (
          <label class="check">
            <input
              type="checkbox"
              checked={isAtOnce}
              onChange={({ currentTarget }) => setAtOnce(currentTarget.checked)}
            />
            <span>{atOnce}</span>
          </label>
        )}
        <Problem text={act.problem} />
        <Button kind={isAtOnce ? 'danger' : 'main'} isBusy={act.isBusy}>
          Rotate
        </Button>
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
