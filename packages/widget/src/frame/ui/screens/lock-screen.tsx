import { Button } from '../parts/button.js'
import { Icon } from '../parts/icon.js'
import { useUi } from '../ui-context.js'
import { CodeForm } from './code-form.js'

/** Before everything else, after minutes without any input. */
export function LockScreen({ isAsked }: { isAsked: boolean }) {
  const { engine, texts } = useUi()
  const own = engine.ownSignIn.value
  const { lockedTitle, locked, unlock, required, requiredHint } = texts.value.auth
  return (
    <section class="screen centered lock">
      <span class="emblem">
        <Icon name="lock" />
      </span>
      <h1>{lockedTitle}</h1>
      <p class="muted" role="status">
        {isAsked && own === null ? `${required} ${requiredHint}` : locked}
      </p>
      {isAsked && own !== null ? (
        <CodeForm key={own.email} signIn={own} />
      ) : (
        <Button kind="primary" onClick={() => engine.unlock()}>
          {unlock}
        </Button>
      )}
    </section>
  )
}
