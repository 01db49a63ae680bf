import { explain } from './load.js'
import { Button } from './parts/button.js'
import { Notice } from './parts/notice.js'
import { useUi } from './ui-context.js'

/** What failed after its screen was left, said where the clinician is; to nobody else. */
export function LateFailure() {
  const { texts, late, getClinician } = useUi()
  const { general } = texts.value
  const failed = late.value
  if (failed === null || failed.clinicianId !== getClinician()?.id) return null
  return (
    <Notice
      kind="warning"
      role="alert"
      title={general.lateTitle}
      actions={<Button onClick={() => (late.value = null)}>{general.close}</Button>}
    >
      {explain(failed.error, texts.value)}
    </Notice>
  )
}
