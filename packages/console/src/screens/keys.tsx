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

/** Who may see that there are keys, and who may change them: the operator, as on the command line. */
export function Keys() {
  const path = `${useTenantPath()}/keys`
  const isOperator = useConsole().me.value?.kind === 'operator'
  const live = useLive<{ keys: KeyRow[] }>(path)
  const [isRotating, setRotating] = useState(false)
  const [isRetiring, setRetiring] = useState(false)
  const close = (): void => {
    setRotating(false)
    setRetiring(false)
    live.ask()
  }
  const keys = live.value?.keys ?? []
  return (
    <>
      <Title>Keys and secrets</Title>
      {isOperator ? (
        <>
          <p class="soft">No key is shown here, other than a new one, once.</p>
          <p class="acts">
            <Do kind="main" onDo={() => setRotating(true)}>
              Rotate …
            </Do>
            {keys.some((key) => isOlderToken(keys, key)) && (
              <Do onDo={() => setRetiring(true)}>Retire older token keys …</Do>
            )}
          </p>
        </>
      ) : (
        <p class="soft">No key is shown here. Whoever runs this service rotates them for you.</p>
      )}
      <Waiting live={live} />
      {live.value !== null && (
        <Table
          label="Keys"
          rows={keys}
          columns={listColumns(keys)}
          keyOf={({ id }) => id}
          empty="There is no key."
        />
      )}
      {isRotating && <RotateKey path={path} onClose={close} />}
      {isRetiring && <Retire path={path} row={keys.find((key) => isOlderToken(keys, key))} onClose={close} />}
    </>
  )
}

const listColumns = (keys: readonly KeyRow[]): readonly Column<KeyRow>[] => [
  { name: 'Kind', show: ({ kind }) => keyWords[kind] ?? kind },
  { name: 'State', show: (row) => <Pill {...wordKey(row, isNewest(keys, row))} /> },
  { name: 'Made', show: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Ends', show: ({ endsAt, endedAt }) => <Time at={endedAt ?? endsAt} /> },
  { name: 'Id', show: ({ id }) => <Id id={id} /> },
]

const isNewest = (keys: readonly KeyRow[], { kind, createdAt }: KeyRow): boolean =>
  keys.every((other) => other.kind !== kind || other.createdAt <= createdAt)

const isOlderToken = (keys: readonly KeyRow[], key: KeyRow): boolean =>
  key.kind === 'token_key' && key.endedAt === null && !isNewest(keys, key)

function wordKey({ endsAt, endedAt }: KeyRow, isNewestOne: boolean): Worded {
  if (endedAt !== null) return { text: 'Ended', tone: 'quiet' }
  if (endsAt !== null) return { text: 'Ends soon', tone: 'busy' }
  return isNewestOne ? { text: 'In use', tone: 'good' } : { text: 'Older, still good', tone: 'busy' }
}

function Retire({ path, row, onClose }: { path: string; row: KeyRow | undefined; onClose: () => void }) {
  const desk = useConsole()
  const act = useAct()
  const retire = async (): Promise<void> => {
    const done = await act.run(() => desk.call('POST', `${path}/${encodeURIComponent(row?.id ?? '')}/retire`))
    if (done !== null) onClose()
  }
  return (
    <Dialog title="Retire older token keys?" onClose={onClose}>
      <p>
        All token signing keys but the newest end. Every token that they signed is refused within seconds: the
        partner authenticates again, widgets renew by themselves. This cannot be taken back.
      </p>
      <Problem text={act.problem} />
      <Do kind="danger" isBusy={act.isBusy} onDo={() => void retire()}>
        Retire them now
      </Do>
    </Dialog>
  )
}
