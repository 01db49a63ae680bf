import { useState } from 'preact/hooks'
import type { ConsoleMe, ConsolePasskeyQuestion } from '@casenote/contract'
import { callService } from '../call-service.js'
import { hasPasskeys, usePasskey } from '../passkey.js'
import { Dialog } from '../ui/dialog.js'
import { Button, Problem } from '../ui/parts.js'
import { useAct } from '../use-act.js'
import { PasswordAndCode } from './password-and-code.js'

/** Before what is dangerous, to whoever signed in more than five minutes ago, or has done such a thing since. */
export function Confirm({ me, onEnd }: { me: ConsoleMe; onEnd: (isConfirmed: boolean) => void }) {
  const act = useAct()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const isByPasskey = me.hasPasskey && hasPasskeys()

  const byPassword = async (): Promise<void> => {
    const body = { password, code: code.replaceAll(/\s/g, '') }
    const done = await act.run(() => callService({ method: 'POST', path: '/confirm', body }))
    if (done === null) setCode('')
    else onEnd(true)
  }
  const byPasskey = async (): Promise<void> => {
    const path = '/sign-in/passkey/options'
    const asked = await act.run(() => callService<ConsolePasskeyQuestion>({ method: 'POST', path }))
    if (asked === null) return
    const credential = await usePasskey(asked.value)
    if (credential === null) return act.say('No passkey was used. Try again.')
    const body = { credential }
    const done = await act.run(() => callService({ method: 'POST', path: '/confirm/passkey', body }))
    if (done !== null) onEnd(true)
  }

  return (
    <Dialog title="Is it you?" onClose={() => onEnd(false)}>
      <p>This needs a fresh sign-in, and each is good for one such change. Show once more that it is you.</p>
      {isByPasskey && (
        <Button kind="main" isBusy={act.isBusy} onDo={() => void byPasskey()}>
          Confirm with a passkey
        </Button>
      )}
      {isByPasskey && me.hasPassword && <p class="or">or with your password</p>}
      {me.hasPassword && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void byPassword()
          }}
        >
          <PasswordAndCode
            {...{ password, code }}
            codeHint="Six digits, from your authenticator app; not the one that you signed in with"
            onPassword={setPassword}
            onCode={setCode}
          />
          <Button kind={isByPasskey ? 'second' : 'main'} isBusy={act.isBusy}>
            Confirm
          </Button>
        </form>
      )}
      <Problem text={act.problem} />
    </Dialog>
  )
}
