import { useState } from 'preact/hooks'
import type { KeyRow } from '../answers.js'
import { useConsole, useTenantPath } from '../console-state.js'
import { Dialog } from '../ui/dialog.js'
import { Do, Id, Pill, Problem, Time, Title, Waiting } from '../ui/parts.js'
import { Table, type Column } from '../ui/table.js'
import { useAct } from '../use-act.js'
import { useLive } from '../use-live.js'
import { keyWords, type Worded } from '../words.js'
import { RotateKey } from './rotate-key.js'

export function Keys() {
  const path = `${useTenantPath()}/keys`
  const isOperator = useConsole().me.value?.kind === 'operator'
  const live = useLive<{ keys: KeyRow[] }>(path)
  const [isRotating, setRotating] = useState(false)
  const [retired, setRetired] = useState<KeyRow | null>(null)
  const close = (): void => {
    setRotating(false)
    setRetired(null)
    live.ask()
  }
  const columns = isOperator ? [...shown, retireColumn(setRetired)] : shown
  return (
    <>
      <Title>Keys and secrets</Title>
      <p class="soft">No key is shown here, other than a new one, once.</p>
      <p>
        <Do kind="main" onDo={() => setRotating(true)}>
          Rotate …
        </Do>
      </p>
      <Waiting live={live} />
      {live.value !== null && (
        <Table
          label="Keys"
          rows={live.value.keys}
          columns={columns}
          keyOf={({ id }) => id}
          empty="There is no key."
        />
      )}
      {isRotating && <RotateKey path={path} isOperator={isOperator} onClose={close} />}
      {retired !== null && <Retire path={path} row={retired} onClose={close} />}
    </>
  )
}

const shown: readonly Column<KeyRow>[] = [
  { name: 'Kind', show: ({ kind }) => keyWords[kind] ?? kind },
  { name: 'State', show: (row) => <Pill {...wordKey(row)} /> },
  { name: 'Made', show: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Ends', show: ({ endsAt, endedAt }) => <Time at={endedAt ?? endsAt} /> },
  { name: 'Last used', show: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  { name: 'Id', show: ({ id }) => <Id id={id} /> },
]

const retireColumn = (onRetire: (row: KeyRow) => void): Column<KeyRow> => ({
  name: 'End it',
  show: (row) => (canBeRetired(row) ? <Do onDo={() => onRetire(row)}>Retire …</Do> : '–'),
})

/** The newest of its kind has nothing that follows it, and stays. */
const canBeRetired = ({ endsAt, endedAt }: KeyRow): boolean => endedAt === null && endsAt !== null

function wordKey({ endsAt, endedAt }: KeyRow): Worded {
  if (endedAt !== null) return { text: 'Ended', tone: 'quiet' }
  return endsAt === null ? { text: 'In use', tone: 'good' } : { text: 'Ends soon', tone: 'busy' }
}

function Retire({ path, row, onClose }: { path: string; row: KeyRow; onClose: () => void }) {
  const desk = useConsole()
  const act = useAct()
  const retire = async (): Promise<void> => {
    const done = await act.run(() => desk.call('POST', `${path}/${encodeURIComponent(row.id)}/retire`))
    if (done !== null) onClose()
  }
  return (
    <Dialog title={`Retire this ${keyWords[row.kind].toLowerCase()}?`} onClose={onClose}>
      <p>Whoever still uses it is refused from now on. This cannot be taken back.</p>
      <p>
        <Id id={row.id} />
      </p>
      <Problem text={act.problem} />
      <Do kind="danger" isBusy={act.isBusy} onDo={() => void retire()}>
        Retire it now
      </Do>
    </Dialog>
  )
}
