import { engineTexts } from '../../texts/texts.js'
import { EngineError, type Recorder } from '../engine.js'
import type { SharedSound } from './capture-audio.js'
import { placeBack } from './gaps.js'
import type { RecordingStore } from './recording-store.js'
import type { TabRecording } from './tab-recording.js'

type Controls = Pick<
  Recorder,
  'pause' | 'resume' | 'keepGap' | 'jot' | 'mark' | 'unmark' | 'changeMicrophone' | 'hearOtherSide'
>

/** What a clinician does to the recording that runs. */
export function makeControls(recordings: RecordingStore | null, tab: TabRecording): Controls {
  const { getActive, shown } = tab
  const { isOffRecord, struck } = shown
  const pause = (): void => getActive()?.running.pause(null)

  return {
    pause,

    async resume() {
      await getActive()?.running.resume()
    },

    async keepGap(gap) {
      const active = getActive()
      if (active === null || tab.isFinishing()) throw new EngineError(engineTexts.notRecording, 0)
      // Where nothing was recorded it goes on until the recording does.
      if (gap.seconds === null) {
        pause()
        isOffRecord.value = true
      }
      const { seconds } = active.running.state.value
      const row = await recordings?.change(active.recordingId, (changed) => {
        const from = placeBack(changed.segments, seconds - gap.start)
        // The last second is in no segment yet.
        const to = placeBack(changed.segments, seconds - gap.end - 1)
        changed.gaps = [
          ...(changed.gaps ?? []),
          gap.end > gap.start && from && to ? { ...gap, from, to } : gap,
        ]
      })
      struck.value = row?.gaps ?? []
      active.sending.wake()
    },

    jot: (text) => getActive()?.pad.jot(text),

    mark() {
      const active = getActive()
      active?.pad.mark(active.running.state.value.seconds)
    },

    unmark: (id) => getActive()?.pad.unmark(id),

    async changeMicrophone(deviceId) {
      // Else one that takes the place of a lost one would go on recording.
      if (isOffRecord.value) pause()
      await getActive()?.running.changeMicrophone(deviceId)
    },

    async hearOtherSide(other: SharedSound | null, state, isHalted = false) {
      const active = getActive()
      if (active === null) return other?.stop()
      await active.running.hearOtherSide(other, state, isHalted)
      await recordings?.change(active.recordingId, (row) => {
        row.hasOtherSide = state !== 'none'
      })
    },
  }
}
