import { Notice } from '../parts/notice.js'
import { useUi } from '../ui-context.js'
import { RefusedRecording } from '../screens/refused-recording.js'

/** Beside a session's stages: why its recording does not arrive. */
export function SendingTrouble({ sessionId }: { sessionId: string }) {
  const { engine, texts } = useUi()
  const upload = engine.recorder.sending.value.find((recording) => recording.sessionId === sessionId)
  if (upload === undefined) return null
  if (upload.problem !== null) return <RefusedRecording recording={upload} />
  if (upload.warning !== null) {
    return (
      <Notice kind="danger" role="alert">
        {upload.warning}
      </Notice>
    )
  }
  return upload.isOffline ? (
    <Notice kind="warning" icon="offline" role="status">
      {texts.value.recording.offline}
    </Notice>
  ) : null
}
