import { fill } from '../../texts/fill.js'
import type { SendingRecording } from '../../engine/engine.js'
import { toPercent } from '../format.js'
import { Bar } from '../parts/bar.js'
import { Notice } from '../parts/notice.js'
import { useTexts, useUi } from '../ui-context.js'
import { RefusedRecording } from './refused-recording.js'

/** Ended recordings and files that are still being uploaded; of one client, or all. Those in trouble are shown everywhere. */
export function SendingRecordings({ clientId }: { clientId?: string }) {
  const { engine, texts } = useUi()
  const recordings = engine.recorder.sending.value.filter(
    ({ problem, clientId: recordedId }) =>
      clientId === undefined || recordedId === clientId || problem !== null,
  )
  if (recordings.length === 0) return null
  return (
    <section class="card stack">
      <h2>{texts.value.sending.title}</h2>
      <ul class="plain-list stack">
        {recordings.map((recording) => (
          <Sending key={recording.recordingId} recording={recording} />
        ))}
      </ul>
    </section>
  )
}

function Sending({ recording }: { recording: SendingRecording }) {
  const { sending } = useTexts()
  const { clientLabel, recordedBytes, uploadedBytes, isOffline, problem, warning } = recording
  const share = recordedBytes === 0 ? 0 : uploadedBytes / recordedBytes
  return (
    <li class="stack tight">
      <p>
        <span class="row-title">{clientLabel}</span>
        <span class="muted detail">
          {fill(sending.share, { percent: toPercent(share) })}
          {isOffline ? ` · ${sending.offline}` : ''}
        </span>
      </p>
      <Bar label={clientLabel} share={share} />
      {warning === null ? null : <Notice kind="danger">{warning}</Notice>}
      {problem === null ? null : <RefusedRecording recording={recording} />}
    </li>
  )
}
