import type { WidgetService } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Field } from '../parts/field.js'
import { Pending } from '../parts/pending.js'
import { useTask } from '../task.js'
import { useTexts, useUi } from '../ui-context.js'

const minuteMs = 60_000

/** As a field for day and time shows it, in the clinician's own time. */
const toField = (time: string | null): string => {
  if (time === null) return ''
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16)
}

const fromField = (typed: string): string | null => (typed === '' ? null : new Date(typed).toISOString())

interface CorrectServiceProps {
  /** Of the session's service. */
  path: string
  onSaved: () => void
}

/** Code, start and end of what is billed, where they do not fit each other. */
export function CorrectService({ path, onSaved }: CorrectServiceProps) {
  const { engine, announce } = useUi()
  const { checks: words, plans } = useTexts()
  const id = useId()
  const task = useTask()
  const loaded = useLoad(() => engine.api.get<WidgetService>(path), [path])
  const draft = useSignal<WidgetService | null>(null)
  const result = loaded.result.value
  useEffect(() => {
    draft.value = result.state === 'loaded' ? result.value : null
  }, [result])
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  const service = draft.value
  if (service === null) return <Pending lines={2} />
  const { serviceCode, startedAt, endedAt } = service
  const isReversed = startedAt !== null && endedAt !== null && Date.parse(endedAt) <= Date.parse(startedAt)
  const set = (next: Partial<WidgetService>): void => {
    draft.value = { ...service, ...next }
  }
  const save = async (): Promise<void> => {
    await engine.api.send('PATCH', path, { ...service, serviceCode: serviceCode?.trim() || null })
    announce(words.serviceSaved)
    onSaved()
  }
  return (
    <form
      class="stack tight"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReversed) task.run(save)
      }}
    >
      <Field label={words.serviceCode} id={`${id}-code`}>
        <input
          id={`${id}-code`}
          type="text"
          maxLength={20}
          value={serviceCode ?? ''}
          onInput={(event) => set({ serviceCode: event.currentTarget.value })}
        />
      </Field>
      <div class="fields">
        {(['startedAt', 'endedAt'] as const).map((which) => (
          <Field key={which} label={words[which]} id={`${id}-${which}`}>
            <input
              id={`${id}-${which}`}
              type="datetime-local"
              value={toField(service[which])}
              onInput={(event) => set({ [which]: fromField(event.currentTarget.value) })}
            />
          </Field>
        ))}
      </div>
      {isReversed ? <p role="alert">{words.serviceOrder}</p> : null}
      <Failure error={task.failure} />
      <div class="row">
        <Button type="submit" icon="check" isBusy={task.isBusy} isDisabled={isReversed}>
          {plans.save}
        </Button>
      </div>
    </form>
  )
}
