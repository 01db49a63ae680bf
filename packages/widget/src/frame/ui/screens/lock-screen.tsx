import { Button } from '../parts/button.js'
import { Icon } from '../parts/icon.js'
import { useUi } from '../ui-context.js'

/** Before everything else, after minutes without any input. */
export function LockScreen({ isAsked }: { isAsked: boolean }) {
  const { engine, texts } = useUi()
  const { lockedTitle, locked, unlock, required, requiredHint } = texts.value.auth
  return (
    <section class="screen centered lock">
      <span class="emblem">
        <Icon name="lock" />
      </span>
      <h1>{lockedTitle}</h1>
      <p class="muted" role="status">
        {isAsked ? `${required} ${requiredHint}` : locked}
      </p>
      <Button kind="primary" onClick={() => engine.unlock()}>
        {unlock}
      </Button>
    </section>
  )
}
