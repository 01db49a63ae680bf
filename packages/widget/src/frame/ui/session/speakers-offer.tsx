import { useSignal } from '@preact/signals'
import { RegenerateDialog } from '../note/regenerate-dialog.js'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { useTexts } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'

/** Speakers were corrected: the note still says what was heard before. */
export function SpeakersOffer() {
  const texts = useTexts()
  const { session } = useSession()
  const isAsking = useSignal(false)
  if (session.note.status === 'finalized') return <Notice kind="good">{texts.speakers.saved}</Notice>
  return (
    <>
      <Notice
        kind="good"
        title={texts.speakers.saved}
        actions={
          <Button icon="refresh" onClick={() => (isAsking.value = true)}>
            {texts.note.regenerate}
          </Button>
        }
      >
        {texts.speakers.regenerate}
      </Notice>
      {isAsking.value ? <RegenerateDialog onClose={() => (isAsking.value = false)} /> : null}
    </>
  )
}
