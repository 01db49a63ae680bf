import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { EngineError, type OtherSideState } from '../../engine/engine.js'
import { isForbidden } from '../../engine/recordings/is-forbidden.js'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Pending } from '../parts/pending.js'
import { useTask } from '../task.js'
import { useTexts, useUi } from '../ui-context.js'

/** Before the press: browsers ask what to share only right after one. */
const load = () => import('../../engine/recordings/open-other-side.js')

/** Firefox and Safari share pictures alone; they do not know this constraint, which is about the sound of what is shared. Phones share nothing. */
const canShareSound = (): boolean =>
  'mediaDevices' in navigator &&
  'getDisplayMedia' in navigator.mediaDevices &&
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
  const status = useRef<HTMLParagraphElement>(null)
  const result = loaded.result.value
  if (result.state === 'loading') return <Pending />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  const share = async (): Promise<void> => {
    const problem = await result.value.shareOtherSide(recorder)
    if (problem !== null) throw new EngineError(words[problem], 0)
  }
  const leave = (): void =>
    run(async () => {
      await recorder.hearOtherSide(null, 'none')
      // Its button may be gone by now.
      status.current?.focus()
    })
  const isShared = state === 'shared'
  return (
    <div class="stack tight">
      <p class="muted detail" role="status" tabIndex={-1} ref={status}>
        {isShared ? words.shared : words.lead}
      </p>
      {isShared ? null : <p class="muted detail">{words.how}</p>}
      <div class="row">
        {/* One button in one place: who pressed it keeps their place. */}
        <Button
          kind={isShared ? 'quiet' : 'plain'}
          icon={isShared ? 'close' : 'people'}
          isBusy={isBusy}
          onClick={isShared ? leave : () => run(share)}
        >
          {isShared ? words.leave : words.share}
        </Button>
        {state === 'ended' ? (
          <Button kind="quiet" isBusy={isBusy} onClick={leave}>
            {words.leave}
          </Button>
        ) : null}
      </div>
      <Failure error={failure} />
    </div>
  )
}
