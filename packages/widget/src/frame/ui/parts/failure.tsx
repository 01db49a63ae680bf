import { explain } from '../load.js'
import { useTexts } from '../ui-context.js'
import { Button } from './button.js'
import { Notice } from './notice.js'

/** What failed, and a way to try again where there is one; nothing for null. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const texts = useTexts()
  if (error === null) return null
  return (
    <Notice
      kind="danger"
      role="alert"
      actions={
        onRetry === undefined ? undefined : (
          <Button icon="refresh" onClick={onRetry}>
            {texts.general.retry}
          </Button>
        )
      }
    >
      {explain(error, texts)}
    </Notice>
  )
}
