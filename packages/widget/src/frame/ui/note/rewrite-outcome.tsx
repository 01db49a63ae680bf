import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { useSession } from '../open-session/session-context.js'
import { useTexts } from '../ui-context.js'

/** A rewriting that did not work. Of a magic edit it is said where it was asked for. */
export function RewriteOutcomeNotice() {
  const { magic, general } = useTexts()
  const { rewriter } = useSession().model
  const outcome = rewriter.outcome.value
  if (outcome.kind !== 'failed' || outcome.call !== 'regenerate') return null
  return (
    <Notice
      kind="warning"
      role="alert"
      title={magic.failedTitle}
      actions={<Button onClick={rewriter.dismiss}>{general.close}</Button>}
    >
      {outcome.reason ?? magic.failedUnknown}
    </Notice>
  )
}
