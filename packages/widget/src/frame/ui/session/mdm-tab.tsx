import type { Mdm } from '@casenote/contract'
import { useLoad } from '../load.js'
import { Failure } from '../parts/failure.js'
import { Icon } from '../parts/icon.js'
import { Pending } from '../parts/pending.js'
import { useTexts, useUi } from '../ui-context.js'
import { EvidenceLines } from '../open-session/evidence-lines.js'
import { useSession } from '../open-session/session-context.js'
import { useRenewal } from './use-renewal.js'

type Level = Mdm['riskOfComplications']['level']

/** Medical decision making, for prescribers: each level with its reason and the lines it rests on. */
export function MdmTab() {
  const { engine, texts } = useUi()
  const { session, model } = useSession()
  const mdm = useLoad(() => engine.api.get<Mdm>(`${model.path}/mdm`), [session.hasMdm])
  useRenewal(mdm.renew)
  const result = mdm.result.value
  if (result.state === 'loading') return <Pending lines={5} />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={mdm.again} />
  return <MdmElements mdm={result.value} title={texts.value.mdm.title} />
}

function MdmElements({ mdm, title }: { mdm: Mdm; title: string }) {
  const { mdm: words } = useTexts()
  const risk = mdm.riskOfComplications
  return (
    <div class="stack">
      <h2>{title}</h2>
      <section class="stack">
        <h3>{words.problems}</h3>
        {mdm.problemsAddressed.length === 0 ? <p class="muted">{words.none}</p> : null}
        {mdm.problemsAddressed.map((problem) => (
          <div key={problem.problem} class="card stack tight">
            <div class="section-head">
              <h4>{problem.problem}</h4>
              <LevelChip level={problem.level} />
            </div>
            <p>{problem.rationale}</p>
            <EvidenceDetails lines={problem.evidence} />
          </div>
        ))}
      </section>
      <section class="card stack tight">
        <div class="section-head">
          <h3>{words.risk}</h3>
          <LevelChip level={risk.level} />
        </div>
        <p>{risk.rationale}</p>
        <EvidenceDetails lines={risk.evidence} />
      </section>
      <section class={`card stack tight ${mdm.crisisInterventionIdentified ? 'attention' : ''}`}>
        <div class="section-head">
          <h3>{words.crisis}</h3>
          <span class={`chip ${mdm.crisisInterventionIdentified ? 'danger' : ''}`}>
            {mdm.crisisInterventionIdentified ? <Icon name="warning" /> : null}
            {mdm.crisisInterventionIdentified ? words.crisisYes : words.crisisNo}
          </span>
        </div>
        {mdm.crisisInterventionRationale === null ? null : <p>{mdm.crisisInterventionRationale}</p>}
        <EvidenceDetails lines={mdm.crisisInterventionEvidence} />
      </section>
    </div>
  )
}

const weights: Record<Level, string> = { na: '', minimal: '', low: '', moderate: 'busy', high: 'danger' }

const LevelChip = ({ level }: { level: Level }) => (
  <span class={`chip ${weights[level]}`}>{useTexts().mdm.levels[level]}</span>
)

function EvidenceDetails({ lines }: { lines: readonly number[] }) {
  const { mdm } = useTexts()
  if (lines.length === 0) return null
  return (
    <details>
      <summary>
        {mdm.lines} ({lines.length})
      </summary>
      <EvidenceLines lines={lines} />
    </details>
  )
}
