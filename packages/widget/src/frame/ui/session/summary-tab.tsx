import type { Summary } from '@casenote/contract'
import { useLoad } from '../load.js'
import { Failure } from '../parts/failure.js'
import { Pending } from '../parts/pending.js'
import { recordLanguage } from '../record-language.js'
import { useUi } from '../ui-context.js'
import { CopyTextButton } from '../note/copy-buttons.js'
import { useSession } from '../open-session/session-context.js'
import { useRenewal } from './use-renewal.js'

export function SummaryTab() {
  const { engine, texts } = useUi()
  const { session, model } = useSession()
  const words = texts.value.summary
  const summary = useLoad(
    async () => (session.hasSummary ? engine.api.get<Summary>(`${model.path}/summary`) : null),
    [session.hasSummary],
  )
  useRenewal(summary.renew)
  const result = summary.result.value
  if (result.state === 'loading') return <Pending />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={summary.again} />
  if (result.value === null) return <p class="muted">{words.notYet}</p>
  const text = result.value.summary
  return (
    <section class="stack">
      <div class="section-head">
        <h2>{words.title}</h2>
        <CopyTextButton text={() => text} />
      </div>
      <p class="prose" lang={recordLanguage}>
        {text}
      </p>
    </section>
  )
}
