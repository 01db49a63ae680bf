import type { ConsolePasskeyQuestion } from '@casenote/contract'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { callService } from '../call-service.js'
import { useConsole } from '../console-state.js'
import { hasPasskeys, usePasskey } from '../passkey.js'
import { Field } from '../ui/field.js'
import { Button, Problem, Title } from '../ui/parts.js'
import { useAct } from '../use-act.js'
import { PasswordAndCode } from './password-and-code.js'

const noPasskey = 'No passkey was used. Try again, or sign in with your password.'

export function SignIn({ message }: { message: string | null }) {
  const desk = useConsole()
  const act = useAct()
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')

  const signIn = async (): Promise<void> => {
    const body = { userName: userName.trim(), password, code: code.replaceAll(/\s/g, '') }
    const done = await act.run(() => callService({ method: 'POST', path: '/sign-in', body }))
    if (done === null)
      setCode('') // It was right for half a minute at most.
    else await desk.enter(null)
  }
  const signInByPasskey = async (): Promise<void> => {
    const asked = await act.run(() =>
      callService<ConsolePasskeyQuestion>({
        method: 'POST',
        path: '/sign-in/passkey/options',
      }),
    )
    if (asked === null) return
    const credential = await usePasskey(asked.value)
    if (credential === null) return act.say(noPasskey)
    const body = { credential }
    const done = await act.run(() => callService({ method: 'POST', path: '/sign-in/passkey', body }))
    if (done !== null) await desk.enter(null)
  }

  return (
    <GateCard>
      <Title>Sign in</Title>
      {message !== null && <p class="notice">{message}</p>}
      {hasPasskeys() && (
        <>
          <Button kind="main" isBusy={act.isBusy} onDo={() => void signInByPasskey()}>
            Sign in with a passkey
          </Button>
          <p class="or">or with your password</p>
        </>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void signIn()
        }}
      >
        <Field label="User name" value={userName} onType={setUserName} autocomplete="username" />
        <PasswordAndCode
          {...{ password, code }}
          codeHint="Six digits, from your authenticator app"
          onPassword={setPassword}
          onCode={setCode}
        />
        <Problem text={act.problem} />
        <Button kind={hasPasskeys() ? 'second' : 'main'} isBusy={act.isBusy}>
          Sign in
        </Button>
      </form>
    </GateCard>
  )
}

export function GateCard({ children }: { children: ComponentChildren }) {
  return (
    <main id="main" class="gate">
      <p class="brand">Casenote console</p>
      <div class="card">{children}</div>
    </main>
  )
}
