import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import type { UnfinishedRecording } from '../../engine/engine.js'
import { formatClock, formatTime } from '../format.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { stayPut } from '../stay-put.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'
import { DiscardDialog } from './discard-dialog.js'

/** Recordings that a logout, a closed tab, a crash or an empty battery cut short: all of them, whoever's page this is. */
export function UnfinishedRecordings() {
  const { engine, texts } = useUi()
  const recordings = engine.recorder.unfinished.value
  if (recordings.length === 0) return null
  const { title, lead } = texts.value.unfinished
  return (
    <section class="card attention stack">
      <h2>{title}</h2>
      <p class="muted">{lead}</p>
      <ul class="plain-list stack">
        {recordings.map((recording) => (
          <Unfinished key={recording.recordingId} recording={recording} />
        ))}
      </ul>
    </section>
  )
}

function Unfinished({ recording }: { recording: UnfinishedRecording }) {
  const ui = useUi()
  const { engine, texts } = ui
  const { unfinished, locale } = texts.value
  const { recorder } = engine
  const isDiscarding = useSignal(false)
  const { isBusy, failure, run } = useTask()
  const { recordingId } = recording
  const resume = async (): Promise<void> => {
    const goOn = stayPut(ui)
    await recorder.resumeUnfinished(recordingId)
    goOn({ name: 'recording' })
  }
  const finish = async (): Promise<void> => {
    const goOn = stayPut(ui)
    const { sessionId } = await recorder.finishUnfinished(recordingId)
    goOn({ name: 'session', sessionId })
  }
  const isElsewhere = recording.isOpenElsewhere
  const isRecording = 'recordingId' in recorder.state.value
  return (
    <li class="stack tight">
      <p>
        <span class="row-title">{recording.clientLabel}</span>
        <span class="muted detail">
          {recording.isDictated ? `${texts.value.dictating.kind} · ` : ''}
          {fill(unfinished.about, {
            duration: formatClock(recording.seconds),
            date: formatTime(locale, recording.startedAt),
          })}
        </span>
      </p>
      {isElsewhere ? (
        <p class="muted">{unfinished.elsewhere}</p>
      ) : (
        <div class="row">
          <Button kind="primary" isBusy={isBusy} onClick={() => run(finish)}>
            {unfinished.finish}
          </Button>
          <Button icon="mic" isBusy={isBusy} isDisabled={isRecording} onClick={() => run(resume)}>
            {unfinished.resume}
          </Button>
          <Button kind="quiet" icon="trash" onClick={() => (isDiscarding.value = true)}>
            {unfinished.discard}
          </Button>
        </div>
      )}
      <Failure error={failure} />
      {isDiscarding.value ? (
        <DiscardDialog
          onClose={() => (isDiscarding.value = false)}
          discard={() => recorder.discardUnfinished(recordingId)}
        />
      ) : null}
    </li>
  )
}
