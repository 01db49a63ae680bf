import { useSignal } from '@preact/signals'
import { RegenerateDialog } from '../note/regenerate-dialog.js'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { useTexts } from '../ui-context.js'
import { useSession } from './session-context.js'

/** Speakers were corrected: the note still says what was heard before. */
export function SpeakersOffer({ onClose }: { onClose: () => void }) {
  const texts = useTexts()
  const { session } = useSession()
  const isAsking = useSignal(false)
  const isLocked = session.note.status === 'finalized'
  return (
    <>
      <Notice
        kind="good"
        title={texts.speakers.saved}
        actions={
          isLocked ? undefined : (
            <Button icon="refresh" onClick={() => (isAsking.value = true)}>
              {texts.note.regenerate}
            </Button>
          )
        }
      >
        {isLocked ? undefined : texts.speakers.regenerate}
      </Notice>
      {isAsking.value ? (
        <RegenerateDialog onClose={() => (isAsking.value = false)} onStarted={onClose} />
      ) : null}
    </>
  )
}
