import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import type { NoteDrafts } from '../open-session/note-drafts.js'
import { Button } from '../parts/button.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Failure } from '../parts/failure.js'
import { Choice } from '../parts/field.js'
import { useTask } from '../task.js'
import { useTexts, useUi } from '../ui-context.js'
import { ObjectiveRows } from './objective-rows.js'
import {
  draftGoal,
  toGiven,
  type Goal,
  type GoalDraft,
  type PlanDraft,
  type TypedPlan,
} from './plan-draft.js'
import { DayField, TextField } from './plan-fields.js'

interface PlanFormProps {
  clientId: string
  typed: TypedPlan
  /** It was begun before, and not saved. */
  isBegun: boolean
  kept: NoteDrafts
  onLeave: () => void
}

/** Kept on this device with each key stroke, as notes are: the form goes with its card, its screen or its tab. */
export function PlanForm({ clientId, typed: begun, isBegun, kept, onLeave }: PlanFormProps) {
  const { engine, announce } = useUi()
  const { plans: words, general, typing, unfinished } = useTexts()
  const task = useTask()
  const isChanged = useSignal(isBegun)
  const isLeaving = useSignal(false)
  const typed = useSignal(begun)
  const { id, plan, draft, goals } = typed.value
  const put = (next: Partial<TypedPlan>): void => {
    typed.value = { ...typed.value, ...next }
    isChanged.value = true
    kept.keep({ base: [], drafts: [['plan', JSON.stringify(typed.value)]] })
  }
  const set = (next: Partial<PlanDraft>): void => put({ draft: { ...draft, ...next } })
  const leave = (): void => {
    kept.keep(null)
    onLeave()
  }
  const save = async (): Promise<void> => {
    const given = toGiven(draft, goals, plan)
    if (plan === null) await engine.api.send('POST', `/clients/${clientId}/treatment-plans`, { ...given, id })
    else await engine.api.send('PATCH', `/treatment-plans/${plan.id}`, given, { 'if-match': plan.etag })
    announce(words.saved)
    leave()
  }
  const change = (at: number, next: Partial<GoalDraft>): void =>
    put({ goals: goals.map((goal, index) => (index === at ? { ...goal, ...next } : goal)) })
  const isEmpty = goals.every(({ text }) => text.trim() === '')
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty) task.run(save)
      }}
    >
      <TextField label={words.name} text={draft.title} onChange={(title) => set({ title })} />
      <div class="fields">
        <DayField label={words.startsOn} day={draft.startsOn} onChange={(startsOn) => set({ startsOn })} />
        <DayField label={words.reviewOn} day={draft.reviewOn} onChange={(reviewOn) => set({ reviewOn })} />
      </div>
      <TextField
        label={words.problems}
        text={draft.problems}
        isLong
        onChange={(problems) => set({ problems })}
      />
      {goals.map((goal, at) => (
        <GoalFields key={at} number={at + 1} goal={goal} onChange={(next) => change(at, next)} />
      ))}
      <div class="row">
        <Button onClick={() => put({ goals: [...goals, draftGoal(null)] })}>{words.addGoal}</Button>
      </div>
      {isChanged.value ? (
        <p class="muted detail">{kept.isKept.value ? typing.kept : typing.notKept}</p>
      ) : null}
      <Failure error={task.failure} />
      <div class="row">
        <Button kind="primary" type="submit" icon="check" isBusy={task.isBusy} isDisabled={isEmpty}>
          {words.save}
        </Button>
        <Button kind="quiet" onClick={() => (isChanged.value ? (isLeaving.value = true) : leave())}>
          {general.cancel}
        </Button>
      </div>
      {isLeaving.value ? (
        <ConfirmDialog
          title={words.discardTitle}
          action={unfinished.discard}
          icon="trash"
          isDanger
          work={async () => leave()}
          onClose={() => (isLeaving.value = false)}
        >
          <p>{words.discardBody}</p>
        </ConfirmDialog>
      ) : null}
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
