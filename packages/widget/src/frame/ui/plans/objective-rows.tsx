import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import { Button } from '../parts/button.js'
import { Field } from '../parts/field.js'
import { useTexts } from '../ui-context.js'
import { addObjective, changeObjective, type ObjectiveDraft } from './plan-draft.js'
import { DayField } from './plan-fields.js'

interface ObjectiveRowsProps {
  rows: readonly ObjectiveDraft[]
  onChange: (rows: ObjectiveDraft[]) => void
}

/** A goal's objectives, each with the day until which it is to be reached. Enter begins the next one. */
export function ObjectiveRows({ rows, onChange }: ObjectiveRowsProps) {
  const { plans: words } = useTexts()
  const id = useId()
  const list = useRef<HTMLFieldSetElement>(null)
  /** The place of the row that gets the focus once it is there. */
  const next = useRef<number | null>(null)
  // At once: what is typed next stands in the new row.
  useLayoutEffect(() => {
    if (next.current === null) return
    const fields = list.current?.querySelectorAll<HTMLElement>('textarea')
    const field = fields?.[Math.min(next.current, fields.length - 1)]
    // The last one was removed: where another is begun.
    const otherwise = list.current?.querySelector<HTMLElement>(':scope > .row button')
    next.current = null
    ;(field ?? otherwise)?.focus()
  }, [rows])
  const add = (at: number): void => {
    next.current = at + 1
    onChange(addObjective(rows, at))
  }
  const remove = (at: number): void => {
    next.current = at
    onChange(rows.filter((_, place) => place !== at))
  }
  return (
    <fieldset class="choices stack tight" ref={list}>
      <legend>{words.objectives}</legend>
      {rows.map(({ key, text, targetDate }, at) => {
        const label = fill(words.objective, { number: at + 1 })
        return (
          <div key={key} class="row objective">
            <Field label={label} id={`${id}-${key}`}>
              <textarea
                id={`${id}-${key}`}
                rows={1}
                value={text}
                onInput={(event) => onChange(changeObjective(rows, key, { text: event.currentTarget.value }))}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.isComposing) return
                  event.preventDefault()
                  add(at)
                }}
              />
            </Field>
            <DayField
              label={fill(words.objectiveUntil, { number: at + 1 })}
              day={targetDate}
              onChange={(day) => onChange(changeObjective(rows, key, { targetDate: day }))}
            />
            <Button
              kind="quiet"
              icon="trash"
              label={fill(words.removeObjective, { number: at + 1 })}
              onClick={() => remove(at)}
            />
          </div>
        )
      })}
      <div class="row">
        <Button class="small" onClick={() => add(rows.length - 1)}>
          {words.addObjective}
        </Button>
      </div>
    </fieldset>
  )
}
