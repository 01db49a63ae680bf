import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { OwnSignIn } from '../../engine/engine.js'
import { fill } from '../../texts/fill.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Field } from '../parts/field.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'

/** Asked for, mailed, typed. Nothing is mailed before somebody asks: pages are opened more often than they are used. */
export function CodeForm({ signIn }: { signIn: OwnSignIn }) {
  const { texts } = useUi()
  const { code: words } = texts.value.auth
  const { email } = signIn
  const id = useId()
  const isSent = useSignal(signIn.isAsked())
  const code = useSignal('')
  const asking = useTask()
  const typing = useTask()
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (isSent.value) field.current?.focus()
  }, [isSent.value])
  const send = (): void =>
    asking.run(async () => {
      await signIn.request()
      code.value = ''
      isSent.value = true
    })
  const isWhole = code.value.replaceAll(/\D/g, '').length === 8
  return (
    <form
      class="stack code-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole) typing.run(() => signIn.redeem(code.value))
      }}
    >
      <p class="muted" role="status">
        {fill(isSent.value ? words.sent : words.lead, { email })}
      </p>
      {isSent.value ? (
        <>
          <Field label={words.label} id={id}>
            <input
              ref={field}
              id={id}
              type="text"
              inputMode="numeric"
              autocomplete="one-time-code"
              maxLength={20}
              value={code.value}
              onInput={(event) => (code.value = event.currentTarget.value)}
            />
          </Field>
          <Button type="submit" kind="primary" isBusy={typing.isBusy} isDisabled={!isWhole}>
            {words.submit}
          </Button>
          <Failure error={typing.failure} />
        </>
      ) : null}
      <Button kind={isSent.value ? 'quiet' : 'primary'} isBusy={asking.isBusy} onClick={send}>
        {isSent.value ? words.again : words.send}
      </Button>
      <Failure error={asking.failure} />
    </form>
  )
}
