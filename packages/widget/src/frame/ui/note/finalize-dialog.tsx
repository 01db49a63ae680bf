import { fillCount } from '../../texts/fill.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Notice } from '../parts/notice.js'
import { useSession } from '../session/session-context.js'
import { useUi } from '../ui-context.js'
import { countUnsupported } from './split-evidence.js'

/** Says what signing does before it is done. */
export function FinalizeDialog({ onClose }: { onClose: () => void }) {
  const { texts, announce } = useUi()
  const { model } = useSession()
  const words = texts.value.finalize
  const unsupported = countUnsupported(model.editor.note.value?.note ?? [])
  const sign = async (): Promise<void> => {
    await model.rewriter.finalize()
    announce(words.finalized)
  }
  return (
    <ConfirmDialog title={words.title} action={words.confirm} icon="lock" work={sign} onClose={onClose}>
      <ul class="points">
        {words.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {unsupported === 0 ? null : (
        <Notice kind="warning">{fillCount(texts.value, words.unsupported, unsupported)}</Notice>
      )}
    </ConfirmDialog>
  )
}
