import type { RecorderState } from '../../engine/engine.js'
import { fill } from '../../texts/fill.js'
import { formatClock } from '../format.js'
import { Notice } from '../parts/notice.js'
import { useUi } from '../ui-context.js'

/** People pause to think and to cry: sooner would only disturb them. */
const silenceWarningSeconds = 20
/** Silence of one side alone: who listens says nothing for a while. */
const oneSidedSilenceSeconds = 60

/** What is missing from the recording from now on, or may be lost: said on every screen. */
export function SoundTroubles({ recording }: { recording: Extract<RecorderState, { recordingId: string }> }) {
  const { recording: words, otherSide } = useUi().texts.value
  const { missedSeconds } = recording
  const { state, silentSeconds, ownSilentSeconds, otherQuietSeconds } = recording
  // Doubled each time: a screen reader says each of them over what is spoken in the room.
  const seconds = silenceWarningSeconds * 2 ** Math.floor(Math.log2(silentSeconds / silenceWarningSeconds))
  const silence =
    state === 'recording' && seconds >= silenceWarningSeconds
      ? fill(words.silence, { seconds })
      : ownSilentSeconds >= oneSidedSilenceSeconds
        ? otherSide.ownSilence
        : otherQuietSeconds >= oneSidedSilenceSeconds && otherSide.quiet
  const troubles = [
    recording.isDry && words.dry,
    missedSeconds > 0 && fill(words.missed, { time: formatClock(missedSeconds) }),
    recording.otherSide === 'ended' && words.otherEnded,
    recording.warning,
    state === 'paused' && recording.pauseReason,
    silence,
  ]
  return (
    <>
      {troubles.map(
        (trouble) =>
          trouble && (
            <Notice kind={trouble === silence ? 'warning' : 'danger'} role="alert">
              {trouble}
            </Notice>
          ),
      )}
    </>
  )
}
