import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Icon } from '../parts/icon.js'
import { useUi } from '../ui-context.js'
import { LazyCodeForm } from './lazy-screens.js'

/** Before everything else, after minutes without any input. */
export function LockScreen({ isAsked }: { isAsked: boolean }) {
  const { engine, texts } = useUi()
  const own = engine.ownSignIn.value
  const place = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null
    if (document.hasFocus()) place.current?.querySelector<HTMLElement>('button, input')?.focus()
    // Once that is shown again: dialogs are opened anew.
    return () => setTimeout(() => document.hasFocus() && before?.focus(), 100)
  }, [])
  const { lockedTitle, locked, unlock, required, requiredHint } = texts.value.auth
  return (
    <section class="screen centered lock" ref={place}>
      <span class="emblem">
        <Icon name="lock" />
      </span>
      <h1>{lockedTitle}</h1>
      <p class="muted" role="status">
        {isAsked && own === null ? `${required} ${requiredHint}` : locked}
      </p>
      {isAsked && own !== null ? (
        <LazyCodeForm key={own.email} signIn={own} />
      ) : (
        <Button kind="primary" onClick={() => engine.unlock()}>
          {unlock}
        </Button>
      )}
    </section>
  )
}
