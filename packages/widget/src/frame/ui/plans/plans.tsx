import type {
  ProgressNote,
  TreatmentPlan,
  TreatmentPlanCreate,
  WidgetGoals,
  WidgetPlans,
} from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import { formatDate } from '../format.js'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Failure } from '../parts/failure.js'
import { Choice, Field } from '../parts/field.js'
import { Pending } from '../parts/pending.js'
import { useTask } from '../task.js'
import { useTexts, useUi } from '../ui-context.js'
import { readLines, toLines } from './plan-lines.js'

/** It is opened from there, and so loaded before: `loaded-later.ts` says why it is named here. */
export * from '../loaded-later.js'

type Plan = WidgetPlans['plans'][number]
type Goal = TreatmentPlan['goals'][number]

/** A client's plans: the one they are treated by, drafts, and what has ended. */
export function PlanCard({ clientId }: { clientId: string }) {
  const { engine } = useUi()
  const { plans: words } = useTexts()
  const loaded = useLoad(
    () => engine.api.get<WidgetPlans>(`/clients/${clientId}/treatment-plans`),
    [clientId],
  )
  const edited = useSignal<Plan | 'new' | null>(null)
  const result = loaded.result.value
  if (result.state === 'loading') return <Pending />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  const leave = (): void => {
    edited.value = null
    loaded.again()
  }
  if (edited.value !== null)
    return (
      <PlanForm clientId={clientId} plan={edited.value === 'new' ? null : edited.value} onLeave={leave} />
    )
  const { plans } = result.value
  return (
    <div class="stack">
      {plans.length === 0 ? <p class="muted">{words.none}</p> : null}
      {plans.map((plan) => (
        <PlanView key={plan.id} plan={plan} onEdit={() => (edited.value = plan)} onChange={loaded.again} />
      ))}
      <div class="row">
        <Button icon="edit" onClick={() => (edited.value = 'new')}>
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

/** A goal as it is typed: objectives and interventions a line each. */
interface GoalDraft {
  known: Goal | null
  text: string
  status: Goal['status']
  targetDate: string
  objectives: string
  interventions: string
}

const toDraft = (goal: Goal | null): GoalDraft => ({
  known: goal,
  text: goal?.text ?? '',
  status: goal?.status ?? 'open',
  targetDate: goal?.targetDate ?? '',
  objectives: toLines(goal?.objectives.map(({ text }) => text) ?? []),
  interventions: toLines(goal?.interventions ?? []),
})

interface PlanDraft {
  title: string
  startsOn: string
  reviewOn: string
  problems: string
}

function toGiven(
  { title, startsOn, reviewOn, problems }: PlanDraft,
  drafts: readonly GoalDraft[],
  plan: Plan | null,
): TreatmentPlanCreate {
  return {
    title: title.trim() === '' ? null : title.trim(),
    startsOn: startsOn === '' ? null : startsOn,
    reviewOn: reviewOn === '' ? null : reviewOn,
    problems: readLines(problems, plan?.problems ?? []),
    goals: drafts
      .filter(({ text }) => text.trim() !== '')
      .map(({ known, text, status, targetDate, objectives, interventions }) => ({
        id: known?.id ?? null,
        text: text.trim(),
        status,
        targetDate: targetDate === '' ? null : targetDate,
        objectives: readLines(objectives, known?.objectives ?? []),
        interventions: readLines(
          interventions,
          (known?.interventions ?? []).map((one) => ({ text: one })),
        ).map((one) => one.text),
      })),
  }
}

function PlanForm({ clientId, plan, onLeave }: { clientId: string; plan: Plan | null; onLeave: () => void }) {
  const { engine, announce } = useUi()
  const { plans: words, general } = useTexts()
  const task = useTask()
  const draft = useSignal<PlanDraft>({
    title: plan?.title ?? '',
    startsOn: plan?.startsOn ?? '',
    reviewOn: plan?.reviewOn ?? '',
    problems: toLines(plan?.problems.map(({ text }) => text) ?? []),
  })
  const set = (next: Partial<PlanDraft>): void => {
    draft.value = { ...draft.value, ...next }
  }
  const goals = useSignal<GoalDraft[]>(plan === null ? [toDraft(null)] : plan.goals.map(toDraft))
  const save = async (): Promise<void> => {
    const given = toGiven(draft.value, goals.value, plan)
    if (plan === null) await engine.api.send('POST', `/clients/${clientId}/treatment-plans`, given)
    else await engine.api.send('PATCH', `/treatment-plans/${plan.id}`, given, { 'if-match': plan.etag })
    announce(words.saved)
    onLeave()
  }
  const change = (at: number, next: Partial<GoalDraft>): void => {
    goals.value = goals.value.map((goal, index) => (index === at ? { ...goal, ...next } : goal))
  }
  const isEmpty = goals.value.every(({ text }) => text.trim() === '')
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty) task.run(save)
      }}
    >
      <TextField label={words.name} text={draft.value.title} onChange={(title) => set({ title })} />
      <div class="fields">
        <DayField
          label={words.startsOn}
          day={draft.value.startsOn}
          onChange={(startsOn) => set({ startsOn })}
        />
        <DayField
          label={words.reviewOn}
          day={draft.value.reviewOn}
          onChange={(reviewOn) => set({ reviewOn })}
        />
      </div>
      <TextField
        label={words.problems}
        text={draft.value.problems}
        isLong
        onChange={(problems) => set({ problems })}
      />
      {goals.value.map((goal, at) => (
        <GoalFields key={at} number={at + 1} goal={goal} onChange={(next) => change(at, next)} />
      ))}
      <div class="row">
        <Button onClick={() => (goals.value = [...goals.value, toDraft(null)])}>{words.addGoal}</Button>
      </div>
      <Failure error={task.failure} />
      <div class="row">
        <Button kind="primary" type="submit" icon="check" isBusy={task.isBusy} isDisabled={isEmpty}>
          {words.save}
        </Button>
        <Button kind="quiet" onClick={onLeave}>
          {general.cancel}
        </Button>
      </div>
    </form>
  )
}

function TextField({
  label,
  text,
  isLong = false,
  onChange,
}: {
  label: string
  text: string
  isLong?: boolean
  onChange: (text: string) => void
}) {
  const id = useId()
  const onInput = (event: { currentTarget: { value: string } }): void => onChange(event.currentTarget.value)
  return (
    <Field label={label} id={id}>
      {isLong ? (
        <textarea id={id} rows={2} value={text} onInput={onInput} />
      ) : (
        <input id={id} type="text" value={text} onInput={onInput} />
      )}
    </Field>
  )
}

function DayField({ label, day, onChange }: { label: string; day: string; onChange: (day: string) => void }) {
  const id = useId()
  return (
    <Field label={label} id={id}>
      <input id={id} type="date" value={day} onInput={(event) => onChange(event.currentTarget.value)} />
    </Field>
  )
}

function GoalFields({
  number,
  goal,
  onChange,
}: {
  number: number
  goal: GoalDraft
  onChange: (next: Partial<GoalDraft>) => void
}) {
  const { plans: words } = useTexts()
  return (
    <fieldset class="stack tight">
      <legend>{fill(words.goal, { number })}</legend>
      <TextField label={words.goalText} text={goal.text} isLong onChange={(text) => onChange({ text })} />
      <div class="fields">
        <DayField
          label={words.until}
          day={goal.targetDate}
          onChange={(targetDate) => onChange({ targetDate })}
        />
        <Choice
          label={words.state}
          value={goal.status}
          choices={(['open', 'met', 'set_aside'] as const).map((value) => ({
            value,
            title: words.goalStatuses[value],
          }))}
          onChange={(status) => onChange({ status: status as Goal['status'] })}
        />
      </div>
      <TextField
        label={words.objectives}
        text={goal.objectives}
        isLong
        onChange={(objectives) => onChange({ objectives })}
      />
      <TextField
        label={words.interventions}
        text={goal.interventions}
        isLong
        onChange={(interventions) => onChange({ interventions })}
      />
    </fieldset>
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
