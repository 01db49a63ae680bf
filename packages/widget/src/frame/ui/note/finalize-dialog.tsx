import { useEffect } from 'preact/hooks'
import { fill, fillCount } from '../../texts/fill.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Notice } from '../parts/notice.js'
import { useSession } from '../session/session-context.js'
import { useUi } from '../ui-context.js'
import { isDanger } from './review-list.js'
import { countUnsupported } from './split-evidence.js'

/** Says what signing does, and what is open, before it is done. */
export function FinalizeDialog({ onClose }: { onClose: () => void }) {
  const { texts, announce } = useUi()
  const { editor, rewriter } = useSession().model
  const words = texts.value.finalize
  const { note = [], review = [] } = editor.note.value ?? {}
  const unsupported = countUnsupported(note)
  const dangers = review.filter(isDanger)
  const others = review.length - dangers.length
  // What is open is asked of the text that will be signed. A text that cannot be saved is told of by the signing.
  useEffect(() => void editor.flush().catch(() => {}), [])
  const sign = async (): Promise<void> => {
    await rewriter.finalize()
    announce(words.finalized)
  }
  return (
    <ConfirmDialog title={words.title} action={words.confirm} icon="lock" work={sign} onClose={onClose}>
      <ul class="points">
        {words.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {dangers.length === 0 ? null : (
        <Notice kind="danger" title={words.danger}>
          <ul class="points">
            {dangers.map((item) => (
              <li key={item.id}>
                <strong>{item.label}</strong>
                <blockquote>{fill(texts.value.review.words, { words: item.words })}</blockquote>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {unsupported === 0 ? null : (
        <Notice kind="warning">{fillCount(texts.value, words.unsupported, unsupported)}</Notice>
      )}
      {others === 0 ? null : <Notice kind="warning">{fill(words.open, { count: others })}</Notice>}
    </ConfirmDialog>
  )
}
