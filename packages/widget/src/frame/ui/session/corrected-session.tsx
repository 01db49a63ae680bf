import type { NoteVersion } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useLoad } from '../load.js'
import { toPlainText } from '../note/plan-sections.js'
import { readNewestVersions } from '../note/note-versions.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Failure } from '../parts/failure.js'
import { Notice } from '../parts/notice.js'
import { Pending } from '../parts/pending.js'
import { useUi } from '../ui-context.js'
import { CopyTextButton } from '../note/copy-buttons.js'
import { useSession } from '../open-session/session-context.js'
import { LazyCopies } from './wrong-client.js'

/** A session whose recording was first another client's: what was written and typed there is not lost. */
export function CorrectedSession() {
  const { texts, getClinician } = useUi()
  const { wrongClient: words } = texts.value
  const { session } = useSession()
  const isOpen = useSignal(false)
  const { correctionOf } = session
  if (correctionOf === null || session.note.status === 'finalized') return null
  const isOwn = session.clinicianId === getClinician()?.id
  return (
    <>
      <Notice
        kind="info"
        // Nobody else may see whose it was.
        actions={
          isOwn ? <Button onClick={() => (isOpen.value = true)}>{words.earlierText}</Button> : undefined
        }
      >
        <p>{words.corrected}</p>
        {isOwn ? <LazyCopies sessionId={correctionOf} /> : null}
      </Notice>
      {isOpen.value ? <EarlierText sessionId={correctionOf} onClose={() => (isOpen.value = false)} /> : null}
    </>
  )
}

function EarlierText({ sessionId, onClose }: { sessionId: string; onClose: () => void }) {
  const { engine, texts } = useUi()
  const { wrongClient: words } = texts.value
  const { result, again } = useLoad(
    async () => (await readNewestVersions(engine.api, `/sessions/${sessionId}/progress-note`)).versions[0],
    [sessionId],
  )
  const { value } = result
  return (
    <Dialog title={words.earlierText} onClose={onClose} isWide>
      {value.state === 'loading' ? <Pending lines={6} /> : null}
      {value.state === 'failed' ? <Failure error={value.error} onRetry={again} /> : null}
      {value.state === 'loaded' ? <Text version={value.value} /> : null}
    </Dialog>
  )
}

function Text({ version }: { version: NoteVersion | undefined }) {
  const { wrongClient: words } = useUi().texts.value
  if (version === undefined) return <p class="muted">{words.noEarlierText}</p>
  return (
    <>
      {version.note.map(({ key, title, content }) => (
        <section key={key}>
          <h3>{title}</h3>
          <p class="kept-lines">{content}</p>
        </section>
      ))}
      <CopyTextButton text={() => toPlainText(version.note)} />
    </>
  )
}
