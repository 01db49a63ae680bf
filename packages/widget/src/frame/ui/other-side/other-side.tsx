import { effect, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { EngineError, type OtherSideState } from '../../engine/engine.js'
import { isForbidden } from '../../engine/recordings/is-forbidden.js'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Notice } from '../parts/notice.js'
import { Pending } from '../parts/pending.js'
import { useTask } from '../task.js'
import { useTexts, useUi } from '../ui-context.js'

/** Before the press: browsers ask what to share only right after one. */
const load = () => import('../../engine/recordings/open-other-side.js')

/** Who listens says nothing for a while; so long, nobody does. */
const quietAfterMs = 60_000
const lookEveryMs = 1_000

/** Firefox and Safari share pictures alone; they do not know this constraint, which is about the sound of what is shared. */
const canShareSound = (): boolean =>
  'mediaDevices' in navigator &&
  'suppressLocalAudioPlayback' in navigator.mediaDevices.getSupportedConstraints()

/** Who is in the headphones is heard from what the browser or the system plays. Open where there are headphones, or something was shared. */
export function OtherSideOffer({ state }: { state: OtherSideState }) {
  const { otherSide: words } = useTexts()
  const isOpen = useSignal(false)
  return (
    <details
      class="microphone-change"
      open={isOpen.value || state !== 'none'}
      onToggle={(event) => (isOpen.value = event.currentTarget.open)}
    >
      <summary>{words.title}</summary>
      {!isOpen.value ? null : isForbidden('display-capture') ? (
        <p class="muted detail">{words.forbidden}</p>
      ) : !canShareSound() ? (
        <p class="muted detail">{words.cannot}</p>
      ) : (
        <Offer state={state} />
      )}
    </details>
  )
}

function Offer({ state }: { state: OtherSideState }) {
  const { engine, texts } = useUi()
  const words = texts.value.otherSide
  const { recorder } = engine
  const { isBusy, failure, run } = useTask()
  const loaded = useLoad(load, [])
  const result = loaded.result.value
  if (result.state === 'loading') return <Pending />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  const share = async (): Promise<void> => {
    const problem = await result.value.shareOtherSide(recorder)
    if (problem !== null) throw new EngineError(words[problem], 0)
  }
  const leave = (): void => run(() => recorder.hearOtherSide(null, 'none'))
  const isShared = state === 'shared'
  return (
    <div class="stack tight">
      <p class="muted detail" role="status">
        {isShared ? words.shared : words.lead}
      </p>
      {isShared ? <Quiet /> : <p class="muted detail">{words.how}</p>}
      <div class="row">
        {isShared ? null : (
          <Button icon="people" isBusy={isBusy} onClick={() => run(share)}>
            {words.share}
          </Button>
        )}
        {isShared || state === 'ended' ? (
          <Button kind="quiet" isBusy={isBusy} onClick={leave}>
            {words.leave}
          </Button>
        ) : null}
      </div>
      <Failure error={failure} />
    </div>
  )
}

/** The wrong tab was shared, or the call is over. */
function Quiet() {
  const { engine, texts } = useUi()
  const { recorder } = engine
  const isQuiet = useSignal(false)
  useEffect(() => {
    let heardAtMs = performance.now()
    const unfollow = effect(() => {
      // What is shared has no hiss.
      if (recorder.otherLevel.value > 0) heardAtMs = performance.now()
    })
    const timer = setInterval(() => {
      if (recorder.state.peek().state !== 'recording') heardAtMs = performance.now()
      isQuiet.value = performance.now() - heardAtMs >= quietAfterMs
    }, lookEveryMs)
    return () => {
      unfollow()
      clearInterval(timer)
    }
  }, [recorder])
  return isQuiet.value ? (
    <Notice kind="warning" role="alert">
      {texts.value.otherSide.quiet}
    </Notice>
  ) : null
}
