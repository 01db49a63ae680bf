import { useState } from 'preact/hooks'
import type { ConsoleList, ConsoleMe, ConsolePasskey, ConsolePasskeyOffer } from '@casenote/contract'
import { useConsole } from '../console-state.js'
import { hasPasskeys, makePasskey } from '../passkey.js'
import { Dialog } from '../ui/dialog.js'
import { Button, Pill, Problem, Time, Title, Waiting } from '../ui/parts.js'
import { Table, type Column } from '../ui/table.js'
import { useAct } from '../use-act.js'
import { useLive } from '../use-live.js'

/** How whoever is signed in gets in: their password, and their passkeys. */
export function Account() {
  const desk = useConsole()
  const act = useAct()
  const live = useLive<ConsoleList<ConsolePasskey>>('/me/passkeys')
  const [removed, setRemoved] = useState<ConsolePasskey | null>(null)
  const me = desk.me.value as ConsoleMe

  const add = async (): Promise<void> => {
    const path = '/me/passkeys'
    const asked = await act.run(() => desk.call<ConsolePasskeyOffer>('POST', `${path}/options`))
    if (asked === null) return
    const credential = await makePasskey(asked.value)
    if (credential === null)
      return act.say('No passkey was made. A device that has one of yours makes no second.')
    const done = await act.run(() => desk.call('POST', path, { body: { credential } }))
    if (done === null) return
    live.ask()
    await desk.enter(null)
  }
  const close = (): void => {
    setRemoved(null)
    live.ask()
    void desk.enter(null)
  }
  return (
    <>
      <Title>Your sign-in</Title>
      <p>
        You are <strong>{me.userName}</strong>.{' '}
        {me.hasPassword
          ? 'You have a password with the code of an authenticator app.'
          : 'You have no password. Whoever runs this service can send you a link to set one.'}
      </p>
      <section>
        <h2>Passkeys</h2>
        {hasPasskeys() ? (
          <p class="acts">
            <Button kind="main" isBusy={act.isBusy} onDo={() => void add()}>
              Add a passkey
            </Button>
          </p>
        ) : (
          <p class="soft">Passkeys need https, or the machine itself.</p>
        )}
        <Problem text={act.problem} />
        <Waiting live={live} />
        {live.value !== null && (
          <Table
            label="Passkeys"
            rows={live.value.data}
            columns={listColumns(setRemoved)}
            keyOf={({ id }) => id}
            empty="You have no passkey."
          />
        )}
      </section>
      {removed !== null && <Remove passkey={removed} onClose={close} />}
    </>
  )
}

const listColumns = (onRemove: (passkey: ConsolePasskey) => void): readonly Column<ConsolePasskey>[] => [
  { name: 'Made', show: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Last used', show: ({ usedAt }) => <Time at={usedAt} /> },
  { name: 'Signs in at', show: ({ origin }) => origin },
  {
    name: 'Here',
    show: ({ origin }) =>
      origin === location.origin ? (
        <Pill text="Works here" tone="good" />
      ) : (
        <Pill text="Elsewhere" tone="quiet" />
      ),
  },
  { name: 'Remove', show: (passkey) => <Button onDo={() => onRemove(passkey)}>Remove …</Button> },
]

function Remove({ passkey, onClose }: { passkey: ConsolePasskey; onClose: () => void }) {
  const desk = useConsole()
  const act = useAct()
  const remove = async (): Promise<void> => {
    const path = `/me/passkeys/${encodeURIComponent(passkey.id)}/remove`
    const done = await act.run(() => desk.call('POST', path))
    if (done !== null) onClose()
  }
  return (
    <Dialog title="Remove this passkey?" onClose={onClose}>
      <p>
        Made <Time at={passkey.createdAt} />, for {passkey.origin}. It signs in no more; who is signed in
        stays so. Your device may go on offering it: remove it there, too.
      </p>
      <Problem text={act.problem} />
      <Button kind="danger" isBusy={act.isBusy} onDo={() => void remove()}>
        Remove it
      </Button>
    </Dialog>
  )
}
