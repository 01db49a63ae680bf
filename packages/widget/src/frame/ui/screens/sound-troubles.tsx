import type { RecorderState } from '../../engine/engine.js'
import { Notice } from '../parts/notice.js'
import { useUi } from '../ui-context.js'

/** What is missing from the recording from now on: said on every screen. */
export function SoundTroubles({
  recording: { isDry, otherSide },
}: {
  recording: Extract<RecorderState, { recordingId: string }>
}) {
  const { recording: words } = useUi().texts.value
  return (
    <>
      {isDry ? (
        <Notice kind="danger" role="alert">
          {words.dry}
        </Notice>
      ) : null}
      {otherSide === 'ended' ? (
        <Notice kind="danger" role="alert">
          {words.otherEnded}
        </Notice>
      ) : null}
    </>
  )
}
