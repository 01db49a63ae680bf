import type { ProgressNote, WidgetGoals, WidgetPlans } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { newId } from '../../engine/new-id.js'
import { fill } from '../../texts/fill.js'
import { formatDate } from '../format.js'
import { useLoad } from '../load.js'
import { planPlace } from '../open-session/draft-rows.js'
import { makeNoteDrafts } from '../open-session/note-drafts.js'
import { Button } from '../parts/button.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Failure } from '../parts/failure.js'
import { Pending } from '../parts/pending.js'
import { useTask } from '../task.js'
import { useTexts, useUi } from '../ui-context.js'
import { typePlan, type Goal, type Plan, type TypedPlan } from './plan-draft.js'
import { PlanForm } from './plan-form.js'

/** It is opened from there, and so loaded before: `loaded-later.ts` says why it is named here. */
export * from '../loaded-later.js'

/** A client's plans: the one they are treated by, drafts, and what has ended. */
export function PlanCard({ clientId }: { clientId: string }) {
  const { engine } = useUi()
  const { plans: words } = useTexts()
  const loaded = useLoad(
    () => engine.api.get<WidgetPlans>(`/clients/${clientId}/treatment-plans`),
    [clientId],
  )
  const kept = useMemo(() => makeNoteDrafts(engine, planPlace(clientId)), [clientId])
  const edited = useSignal<{ typed: TypedPlan; isBegun: boolean } | null>(null)
  useEffect(() => {
    const takeUp = async (): Promise<void> => {
      const [, text] = (await kept.read())?.drafts[0] ?? []
      // Whoever was faster than the storage types on.
      if (text !== undefined) edited.value ??= { typed: JSON.parse(text) as TypedPlan, isBegun: true }
    }
    void takeUp()
    return () => kept.close()
  }, [kept])
  const edit = (plan: Plan | null): void => {
    edited.value = { typed: typePlan(plan, newId()), isBegun: false }
  }
  const result = loaded.result.value
  if (result.state === 'loading') return <Pending />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  const leave = (): void => {
    edited.value = null
    loaded.again()
  }
  if (edited.value !== null)
    return <PlanForm clientId={clientId} {...edited.value} kept={kept} onLeave={leave} />
  const { plans } = result.value
  return (
    <div class="stack">
      {plans.length === 0 ? <p class="muted">{words.none}</p> : null}
      {plans.map((plan) => (
        <PlanView key={plan.id} plan={plan} onEdit={() => edit(plan)} onChange={loaded.again} />
      ))}
      <div class="row">
        <Button icon="edit" onClick={() => edit(null)}>
          {words.write}
        </Button>
      </div>
    </div>
  )
}

function PlanView({ plan, onEdit, onChange }: { plan: Plan; onEdit: () => void; onChange: () => void }) {
  const { engine, announce } = useUi()
  const { plans: words, locale } = useTexts()
  const task = useTask()
  const isEnding = useSignal(false)
  const move = async (action: 'sign' | 'end', said: string): Promise<void> => {
    const path = `/treatment-plans/${plan.id}/${action}`
    // Only what is shown here is signed.
    await engine.api.send('POST', path, undefined, { 'if-match': plan.etag })
    announce(said)
    onChange()
  }
  const dates = (['startsOn', 'reviewOn'] as const)
    .flatMap((which) => {
      const day = plan[which]
      return day === null ? [] : [`${words[which]}: ${formatDate(locale, day)}`]
    })
    .join(' · ')
  return (
    <section class="stack tight plan">
      <h3>{plan.title ?? words.title}</h3>
      <p class="muted detail">
        {words.statuses[plan.status]}
        {plan.signedBy === null
          ? plan.status === 'active'
            ? ` · ${words.unsigned}`
            : ''
          : ` · ${fill(words.signedBy, {
              name: plan.signedBy.name ?? words.partner,
              date: formatDate(locale, plan.signedBy.at.slice(0, 10)),
            })}`}
      </p>
      {dates === '' ? null : <p class="muted detail">{dates}</p>}
      {plan.problems.map(({ id, text }) => (
        <p key={id} class="detail">
          {text}
        </p>
      ))}
      <ol>
        {plan.goals.map((goal) => (
          <GoalView key={goal.id} goal={goal} />
        ))}
      </ol>
      <Failure error={task.failure} />
      {plan.status === 'ended' ? null : (
        <div class="row">
          {plan.signedBy === null ? (
            <Button
              kind="primary"
              icon="check"
              isBusy={task.isBusy}
              onClick={() => task.run(() => move('sign', words.signed))}
            >
              {words.sign}
            </Button>
          ) : null}
          <Button icon="edit" onClick={onEdit}>
            {words.change}
          </Button>
          <Button kind="quiet" isBusy={task.isBusy} onClick={() => (isEnding.value = true)}>
            {words.end}
          </Button>
        </div>
      )}
      {isEnding.value ? (
        <ConfirmDialog
          title={words.end}
          action={words.end}
          icon="check"
          work={() => move('end', words.ended)}
          onClose={() => (isEnding.value = false)}
        >
          <p>{words.endLead}</p>
        </ConfirmDialog>
      ) : null}
    </section>
  )
}

function GoalView({ goal }: { goal: Goal }) {
  const { plans: words, locale } = useTexts()
  return (
    <li>
      <strong>{goal.text}</strong>
      {goal.status === 'open' ? '' : ` · ${words.goalStatuses[goal.status]}`}
      {goal.targetDate === null ? '' : ` · ${formatDate(locale, goal.targetDate)}`}
      {goal.objectives.length + goal.interventions.length === 0 ? null : (
        <ul class="detail">
          {goal.objectives.map(({ id, text, targetDate }) => (
            <li key={id}>
              {text}
              {targetDate === null ? '' : ` · ${formatDate(locale, targetDate)}`}
            </li>
          ))}
          {goal.interventions.map((text) => (
            <li key={text} class="muted">
              {text}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** What the note says about each goal, as the goal was worded when the note was written. */
export function GoalProgress({ note }: { note: ProgressNote }) {
  const { engine } = useUi()
  const { plans: words } = useTexts()
  const loaded = useLoad(
    () => engine.api.get<WidgetGoals>(`/sessions/${note.sessionId}/goals`),
    [note.sessionId, note.progressNoteId, note.updatedAt],
  )
  const result = loaded.result.value
  if (result.state === 'loading') return <Pending />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  return (
    <ol class="stack">
      {result.value.goals.map(({ treatmentPlanId, goalId, text, sentences }) => (
        <li key={`${treatmentPlanId} ${goalId} ${text}`}>
          <strong>{text}</strong>
          {sentences.length === 0 ? (
            <p class="muted">{words.nothing}</p>
          ) : (
            <ul>
              {sentences.map(({ section, sentence }) => (
                <li key={`${section} ${sentence}`}>{sentence}</li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  )
}
