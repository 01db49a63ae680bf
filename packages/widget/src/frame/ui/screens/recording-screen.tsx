import { useSignal, useSignalEffect } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { ChartNotice } from '../chart/chart-notice.js'
import { formatClock, toDuration, toPercent } from '../format.js'
import type { Engine, RecorderState } from '../../engine/engine.js'
import { Bar } from '../parts/bar.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Choice } from '../parts/field.js'
import { Icon } from '../parts/icon.js'
import { Notice } from '../parts/notice.js'
import { ScreenHeading } from '../parts/screen-heading.js'
import { stayPut } from '../stay-put.js'
import { useTask } from '../task.js'
import { useUi, type View } from '../ui-context.js'
import { DiscardDialog } from './discard-dialog.js'
import { LazyLiveLines, LazyOffRecord, LazyOtherSide } from './lazy-screens.js'
import { RecordingPad } from './recording-pad.js'
import { SoundTroubles } from './sound-troubles.js'
import { VoiceLevel } from './voice-level.js'
import { Waveform } from './waveform.js'

type Running = Extract<RecorderState, { recordingId: string }>

export function RecordingScreen() {
  const { engine, go } = useUi()
  useSignalEffect(() => {
    // Ended elsewhere, or never begun: there is nothing to show here.
    if (!('recordingId' in engine.recorder.state.value)) go(whereFrom(engine))
  })
  const state = engine.recorder.state.value
  return 'recordingId' in state ? <RunningRecording recording={state} /> : null
}

const whereFrom = ({ selection }: Engine): View => {
  const { clientId } = selection.peek()
  return clientId === null ? { name: 'home' } : { name: 'client', clientId }
}

function RunningRecording({ recording }: { recording: Running }) {
  const { engine, texts } = useUi()
  const { recording: words, dictating } = texts.value
  const { level, otherLevel } = engine.recorder
  return (
    <section class="screen recording-screen" data-state={recording.state}>
      <ScreenHeading
        title={
          <>
            <span class="record-dot" aria-hidden="true" />
            {recording.isDictated && recording.state === 'recording'
              ? dictating.now
              : words.state[recording.state]}
          </>
        }
        detail={recording.clientLabel}
        focusKey={recording.recordingId}
      />
      <ChartNotice clientId={recording.clientId}>
        {fill(texts.value.chart.goesOn, { name: recording.clientLabel })}
      </ChartNotice>
      {recording.isDictated ? <p class="muted">{dictating.only}</p> : null}
      <div class="recorder">
        <p class="timer">
          {recording.state === 'finishing' ? null : <VoiceLevel level={level} label={words.level} />}
          <span class="hidden">{words.elapsed}</span>
          <time role="timer" dateTime={toDuration(recording.seconds)}>
            {formatClock(recording.seconds)}
          </time>
          {recording.otherSide === 'shared' ? (
            <VoiceLevel level={otherLevel} label={words.otherLevel} />
          ) : null}
        </p>
        {recording.state === 'finishing' ? <FinishingUpload recording={recording} /> : <Waveform />}
        <UploadState recording={recording} />
      </div>
      <SoundTroubles recording={recording} />
      {recording.isOffline && recording.warning === null ? (
        <Notice kind="warning" icon="offline" role="alert">
          {words.offline}
        </Notice>
      ) : null}
      {recording.state === 'finishing' ? null : <Controls recording={recording} />}
    </section>
  )
}

const shareOf = ({ recordedBytes, uploadedBytes }: Running): number =>
  recordedBytes === 0 ? 0 : uploadedBytes / recordedBytes

function UploadState({ recording }: { recording: Running }) {
  const { recording: words, sending } = useUi().texts.value
  const percent = Math.floor(shareOf(recording) * 100)
  return (
    <p class="muted detail upload-state">
      <Icon name={recording.isOffline ? 'offline' : 'check'} />
      {recording.warning !== null
        ? fill(sending.share, { percent })
        : percent >= 100
          ? words.saved
          : fill(words.savedPart, { percent })}
    </p>
  )
}

function FinishingUpload({ recording }: { recording: Running }) {
  const { recording: words } = useUi().texts.value
  return (
    <div class="stack tight">
      <p>
        {words.uploadingRest}: {toPercent(shareOf(recording))} %
      </p>
      <Bar label={words.uploadingRest} share={shareOf(recording)} />
      <p class="muted detail">{words.keepOpen}</p>
    </div>
  )
}

function Controls({ recording }: { recording: Running }) {
  const ui = useUi()
  const { engine, texts } = ui
  const words = texts.value.recording
  const { recorder } = engine
  const isDiscarding = useSignal(false)
  const { isBusy, failure, run } = useTask()
  const finish = async (): Promise<void> => {
    // Without a network its session is known much later, perhaps in the middle of the next one.
    const goOn = stayPut(ui, whereFrom(engine))
    const { sessionId } = await recorder.finish()
    // The next recording has the same view.
    if (!('recordingId' in recorder.state.peek())) goOn({ name: 'session', sessionId })
  }
  return (
    <>
      <div class="row recorder-controls">
        {recording.state === 'recording' ? (
          <Button icon="pause" class="large" onClick={() => recorder.pause()}>
            {words.pause}
          </Button>
        ) : (
          <Button
            kind="record"
            icon="mic"
            class="large"
            isBusy={isBusy}
            onClick={() => run(() => recorder.resume())}
          >
            {words.resume}
          </Button>
        )}
        <Button kind="primary" icon="check" class="large" isBusy={isBusy} onClick={() => run(finish)}>
          {words.finish}
        </Button>
      </div>
      <Failure error={failure} />
      <LazyOffRecord seconds={recording.seconds} sessionId={recording.sessionId ?? null} />
      {/* All that is dictated is the clinician's words, and nobody is on another side. */}
      {recording.isDictated ? null : (
        <>
          <LazyOtherSide state={recording.otherSide} />
          <RecordingPad />
        </>
      )}
      {recording.sessionId && <LazyLiveLines sessionId={recording.sessionId} />}
      <MicrophoneChange
        deviceId={recording.deviceId}
        isOpen={recording.pauseReason !== null}
        onChange={(deviceId) => run(() => recorder.changeMicrophone(deviceId))}
      />
      <button type="button" class="link discard" onClick={() => (isDiscarding.value = true)}>
        {words.discard}
      </button>
      {isDiscarding.value ? (
        <DiscardDialog onClose={() => (isDiscarding.value = false)} discard={() => recorder.discard()} />
      ) : null}
    </>
  )
}

interface MicrophoneChangeProps {
  deviceId: string | null
  isOpen: boolean
  onChange: (deviceId: string) => void
}

function MicrophoneChange({ deviceId, isOpen, onChange }: MicrophoneChangeProps) {
  const { engine, texts } = useUi()
  const { setup } = texts.value
  const microphones = engine.recorder.microphones.value
  const isThere = microphones.some((device) => device.deviceId === deviceId)
  if (isThere && microphones.length < 2) return null
  // Else the first one would look chosen, and could not be.
  const none = isThere ? [] : [{ value: '', title: '' }]
  return (
    <details class="microphone-change" open={isOpen}>
      <summary>{setup.microphone}</summary>
      <Choice
        label={setup.microphone}
        value={isThere ? (deviceId ?? '') : ''}
        choices={[...none, ...microphones.map((device) => ({ value: device.deviceId, title: device.label }))]}
        onChange={onChange}
      />
    </details>
  )
}
