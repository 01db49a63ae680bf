import type { ConsoleAuthenticatorKey, ConsolePasskeyOffer } from '@casenote/contract'
import { useState } from 'preact/hooks'
import { callService } from '../call-service.js'
import { useConsole } from '../console-state.js'
import { rememberEnrolment } from '../enrolment-memory.js'
import { hasPasskeys, makePasskey } from '../passkey.js'
import { Field } from '../ui/field.js'
import { Button, Copy, Problem, Title } from '../ui/parts.js'
import { useAct } from '../use-act.js'
import { GateCard } from './sign-in.js'

/** What a link lets in lasts ten minutes. */
const words = { signedOut: 'The ten minutes of your link are over. Ask for another link.' }

const passwordLettersLeast = 12

/** The first sign-in: a passkey, or a password together with codes of an authenticator app. */
export function Enrol({ userName }: { userName: string }) {
  const [key, setKey] = useState<ConsoleAuthenticatorKey | null>(null)
  return (
    <GateCard>
      {key === null ? (
        <ChooseWay userName={userName} onKey={setKey} />
      ) : (
        <ConfirmCode authenticatorKey={key} />
      )}
    </GateCard>
  )
}

function ChooseWay({ userName, onKey }: { userName: string; onKey: (key: ConsoleAuthenticatorKey) => void }) {
  const desk = useConsole()
  const act = useAct()
  const [password, setPassword] = useState('')

  const enrolPasskey = async (): Promise<void> => {
    const path = '/enrol/passkey/options'
    const asked = await act.run(() => callService<ConsolePasskeyOffer>({ method: 'POST', path }), words)
    if (asked === null) return
    const credential = await makePasskey(asked.value)
    if (credential === null) return act.say('No passkey was made. Try again, or choose a password.')
    const body = { credential }
    const done = await act.run(() => callService({ method: 'POST', path: '/enrol/passkey', body }))
    if (done !== null) await desk.enter(null)
  }
  const enrolPassword = async (): Promise<void> => {
    const body = { password }
    const done = await act.run(
      () => callService<ConsoleAuthenticatorKey>({ method: 'POST', path: '/enrol/password', body }),
      words,
    )
    if (done !== null) onKey(done.value)
  }

  return (
    <>
      <Title>Welcome</Title>
      <p>
        You are <strong>{userName}</strong>. Choose how you will sign in. The link that brought you here is
        used up.
      </p>
      {hasPasskeys() && (
        <>
          <Button kind="main" isBusy={act.isBusy} onDo={() => void enrolPasskey()}>
            Make a passkey
          </Button>
          <p class="or">or choose a password</p>
        </>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void enrolPassword()
        }}
      >
        {/* For password managers, which keep a password under the name beside it. */}
        <input
          class="hidden"
          type="text"
          autocomplete="username"
          value={userName}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <Field
          label="New password"
          hint={`At least ${passwordLettersLeast} characters. An authenticator app is needed too.`}
          type="password"
          autocomplete="new-password"
          minLength={passwordLettersLeast}
          value={password}
          onType={setPassword}
        />
        <Problem text={act.problem} />
        <Button isBusy={act.isBusy}>Go on with a password</Button>
      </form>
      <p class="soft">
        Did you begin too long ago?{' '}
        <button type="button" class="link" onClick={() => leave(() => void desk.enter(null))}>
          Go to the sign-in
        </button>
      </p>
    </>
  )
}

const leave = (go: () => void): void => {
  rememberEnrolment(null)
  go()
}

function ConfirmCode({
  authenticatorKey: { secret, otpauthUri },
}: {
  authenticatorKey: ConsoleAuthenticatorKey
}) {
  const desk = useConsole()
  const act = useAct()
  const [code, setCode] = useState('')
  const confirm = async (): Promise<void> => {
    const body = { code: code.replaceAll(/\s/g, '') }
    const done = await act.run(() => callService({ method: 'POST', path: '/enrol/totp', body }))
    if (done === null) setCode('')
    else await desk.enter(null)
  }
  return (
    <>
      <Title>Your authenticator app</Title>
      <p>Add this key to your authenticator app. It is shown this once.</p>
      <p class="secret">
        <code>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <p>
        <Copy text={secret} label="Copy the key" />
      </p>
      <p>
        On a phone: <a href={otpauthUri}>open it in your authenticator app</a>.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
        <Field
          label="Code"
          hint="Six digits that the app shows now"
          autocomplete="one-time-code"
          inputMode="numeric"
          value={code}
          onType={setCode}
        />
        <Problem text={act.problem} />
        <Button kind="main" isBusy={act.isBusy}>
          Sign in
        </Button>
      </form>
    </>
  )
}
