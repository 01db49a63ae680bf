import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { newId } from '../../engine/new-id.js'
import { fill } from '../../texts/fill.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Choice } from '../parts/field.js'
import { useTask } from '../task.js'
import { useTexts, useUi } from '../ui-context.js'
import { ObjectiveRows } from './objective-rows.js'
import {
  draftGoal,
  draftPlan,
  toGiven,
  type Goal,
  type GoalDraft,
  type Plan,
  type PlanDraft,
} from './plan-draft.js'
import { DayField, TextField } from './plan-fields.js'

interface PlanFormProps {
  clientId: string
  /** Null: a new one. */
  plan: Plan | null
  onLeave: () => void
}

export function PlanForm({ clientId, plan, onLeave }: PlanFormProps) {
  const { engine, announce } = useUi()
  const { plans: words, general } = useTexts()
  const task = useTask()
  // Of the plan that this form writes: saved again, after an answer that was lost, it is the same one.
  const id = useMemo(newId, [])
  const draft = useSignal<PlanDraft>(draftPlan(plan))
  const set = (next: Partial<PlanDraft>): void => {
    draft.value = { ...draft.value, ...next }
  }
  const goals = useSignal<GoalDraft[]>(plan === null ? [draftGoal(null)] : plan.goals.map(draftGoal))
  const save = async (): Promise<void> => {
    const given = toGiven(draft.value, goals.value, plan)
    if (plan === null) await engine.api.send('POST', `/clients/${clientId}/treatment-plans`, { ...given, id })
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
        <Button onClick={() => (goals.value = [...goals.value, draftGoal(null)])}>{words.addGoal}</Button>
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

interface GoalFieldsProps {
  number: number
  goal: GoalDraft
  onChange: (next: Partial<GoalDraft>) => void
}

function GoalFields({ number, goal, onChange }: GoalFieldsProps) {
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
      <ObjectiveRows rows={goal.objectives} onChange={(objectives) => onChange({ objectives })} />
      <TextField
        label={words.interventions}
        text={goal.interventions}
        isLong
        onChange={(interventions) => onChange({ interventions })}
      />
    </fieldset>
  )
}
