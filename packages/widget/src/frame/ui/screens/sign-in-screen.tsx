import type { AuthState } from '../../engine/engine.js'
import type { Texts } from '../../texts/texts.js'
import { Button } from '../parts/button.js'
import { Icon, type IconName } from '../parts/icon.js'
import { Pending } from '../parts/pending.js'
import { useTexts, useUi } from '../ui-context.js'
import { LazyCodeForm } from './lazy-screens.js'

/** All that is shown to nobody in particular. */
export function SignInScreen({ auth }: { auth: AuthState }) {
  const { engine } = useUi()
  const texts = useTexts()
  const own = engine.ownSignIn.value
  if (auth.state === 'starting') {
    return (
      <section class="screen">
        <h1 class="hidden">{texts.auth.starting}</h1>
        <Pending lines={5} />
      </section>
    )
  }
  if (own !== null && auth.state !== 'refused') {
    return (
      <section class="screen centered">
        <span class="emblem">
          <Icon name="lock" />
        </span>
        <h1>{texts.auth.code.title}</h1>
        <LazyCodeForm key={own.email} signIn={own} />
      </section>
    )
  }
  const { icon, title, lines } = describe(auth, texts)
  return (
    <section class="screen centered" role={auth.state === 'refused' ? 'alert' : undefined}>
      <span class="emblem">
        <Icon name={icon} />
      </span>
      <h1>{title}</h1>
      {lines.map((line) => (
        <p key={line} class="muted">
          {line}
        </p>
      ))}
      {auth.state === 'refused' && auth.canRetry ? (
        <Button kind="primary" icon="refresh" onClick={() => engine.retrySignIn()}>
          {texts.general.retry}
        </Button>
      ) : null}
    </section>
  )
}

function describe(auth: AuthState, texts: Texts): { icon: IconName; title: string; lines: string[] } {
  switch (auth.state) {
    case 'refused':
      return {
        icon: 'warning',
        title: auth.canRetry ? texts.general.failed : texts.auth.refusedTitle,
        lines: [auth.reason],
      }
    case 'authenticationRequired':
      return {
        icon: 'refresh',
        title: texts.auth.requiredTitle,
        lines: [texts.auth.required, texts.auth.requiredHint],
      }
    default:
      return { icon: 'lock', title: texts.auth.signedOutTitle, lines: [texts.auth.signedOut] }
  }
}
