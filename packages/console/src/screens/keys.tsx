import { useState } from 'preact/hooks'
import type { ConsoleKey, ConsoleKeys } from '@casenote/contract'
import { useConsole, useTenantPath } from '../console-state.js'
import { Dialog } from '../ui/dialog.js'
import { Button, Id, Pill, Problem, Time, Title, Waiting } from '../ui/parts.js'
import { Table, type Column } from '../ui/table.js'
import { useAct } from '../use-act.js'
import { useLive } from '../use-live.js'
import { keyWords, type Worded } from '../words.js'
import { RotateKey } from './rotate-key.js'

/** Lists when keys were made and end; rotates them and retires older ones. Data keys only the operator retires. */
export function Keys() {
  const path = `${useTenantPath()}/keys`
  const isOperator = useConsole().me.value?.kind === 'operator'
  const live = useLive<ConsoleKeys>(path)
  const [isRotating, setRotating] = useState(false)
  const [retiring, setRetiring] = useState<ConsoleKey | null>(null)
  const close = (): void => {
    setRotating(false)
    setRetiring(null)
    live.ask()
  }
  const keys = live.value?.keys ?? []
  const olderToken = keys.find((key) => isOlderToken(keys, key))
  const olderSecret = keys.find(({ kind, endsAt }) => kind === 'client_secret' && endsAt !== null)
  return (
    <>
      <Title>Keys and secrets</Title>
      <p class="soft">
        No key is shown here, other than a new one, once. Webhooks are signed with the client secret.
      </p>
      <p class="acts">
        <Button kind="main" onDo={() => setRotating(true)}>
          Rotate …
        </Button>
        {olderSecret !== undefined && (
          <Button onDo={() => setRetiring(olderSecret)}>Retire the older client secret …</Button>
        )}
        {olderToken !== undefined && (
          <Button onDo={() => setRetiring(olderToken)}>Retire older token keys …</Button>
        )}
      </p>
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
      {isRotating && <RotateKey path={path} isOperator={isOperator} onClose={close} />}
      {retiring !== null && <Retire path={path} row={retiring} onClose={close} />}
    </>
  )
}

const listColumns = (keys: readonly ConsoleKey[]): readonly Column<ConsoleKey>[] => [
  { name: 'Kind', show: ({ kind }) => keyWords[kind] ?? kind },
  { name: 'State', show: (row) => <Pill {...wordKey(row, isNewest(keys, row))} /> },
  { name: 'Made', show: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Ends', show: ({ endsAt, endedAt }) => <Time at={endedAt ?? endsAt} /> },
  { name: 'Id', show: ({ id }) => <Id id={id} /> },
]

const isNewest = (keys: readonly ConsoleKey[], { kind, createdAt }: ConsoleKey): boolean =>
  keys.every((other) => other.kind !== kind || other.createdAt <= createdAt)

const isOlderToken = (keys: readonly ConsoleKey[], key: ConsoleKey): boolean =>
  key.kind === 'token_key' && key.endedAt === null && !isNewest(keys, key)

function wordKey({ endsAt, endedAt }: ConsoleKey, isNewestOne: boolean): Worded {
  if (endedAt !== null) return { text: 'Ended', tone: 'quiet' }
  if (endsAt !== null) return { text: 'Ends soon', tone: 'busy' }
  return isNewestOne ? { text: 'In use', tone: 'good' } : { text: 'Older, still good', tone: 'busy' }
}

const retireWords = {
  token_key: {
    title: 'Retire older token keys?',
    text: 'All token signing keys but the newest end. Every token that they signed is refused within seconds: the partner authenticates again, and most widgets ask their page for new tokens.',
    act: 'Retire them now',
  },
  client_secret: {
    title: 'Retire the older client secret?',
    text: 'It stops within 5 seconds, and not after its 24 hours: whatever still authenticates with it is refused, and webhooks are signed with the newest alone.',
    act: 'Retire it now',
  },
} as const

function Retire({ path, row, onClose }: { path: string; row: ConsoleKey; onClose: () => void }) {
  const desk = useConsole()
  const act = useAct()
  const words = retireWords[row.kind === 'client_secret' ? 'client_secret' : 'token_key']
  const retire = async (): Promise<void> => {
    const done = await act.run(() => desk.call('POST', `${path}/${encodeURIComponent(row.id)}/retire`))
    if (done !== null) onClose()
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p>{words.text} This cannot be taken back.</p>
      <Problem text={act.problem} />
      <Button kind="danger" isBusy={act.isBusy} onDo={() => void retire()}>
        {words.act}
      </Button>
    </Dialog>
  )
}
