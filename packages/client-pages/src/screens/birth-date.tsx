import type { LinkKind } from '@casenote/contract'
import { useId, useState } from 'preact/hooks'
import type { BirthDateProblem } from '../client-page.js'
import { readBirthDate } from '../read-birth-date.js'
import type { Texts } from '../texts/texts.js'
import { Card, Title } from './layout.js'

interface BirthDateProps {
  texts: Texts
  kind: LinkKind
  isAgain: boolean
  isBusy: boolean
  problem: BirthDateProblem | null
  onGive: (dateOfBirth: string) => void
}

type Part = 'month' | 'day' | 'year'

/** As the reader's language writes a date. */
function orderOf(language: string): Part[] {
  const parts = new Intl.DateTimeFormat(language, { dateStyle: 'short' }).formatToParts(new Date(0))
  return parts.map(({ type }) => type).filter((type): type is Part => ['month', 'day', 'year'].includes(type))
}

const monthNames = (language: string): string[] =>
  Array.from({ length: 12 }, (_, month) =>
    new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(
      new Date(Date.UTC(2000, month)),
    ),
  )

/** Three fields, not a calendar: nobody wants to leaf back to 1958. Nothing of it is offered to the next person. */
export function BirthDate({ texts, kind, isAgain, isBusy, problem, onGive }: BirthDateProps) {
  const [given, setGiven] = useState({ month: '', day: '', year: '' })
  const [isIncomplete, setIncomplete] = useState(false)
  const problemId = useId()
  const { birthDate: words } = texts
  const submit = (event: Event): void => {
    event.preventDefault()
    const date = readBirthDate(given, new Date())
    setIncomplete(date === null)
    if (date !== null) onGive(date)
  }
  const why = {
    invitation: words.whyInvitation,
    consent: words.whyConsent,
    assessments: words.whyAssessments,
  }[kind]
  const told = isIncomplete ? words.incomplete : wordProblem(texts, problem)
  const field = (part: Part) => ({
    id: part,
    name: part,
    value: given[part],
    autoComplete: 'off',
    'aria-describedby': told === null ? undefined : problemId,
    'aria-invalid': told === null ? undefined : ('true' as const),
    onInput: (event: { currentTarget: { value: string } }) =>
      setGiven({ ...given, [part]: event.currentTarget.value }),
  })
  const fields: Record<Part, preact.JSX.Element> = {
    month: (
      <label class="field wide" key="month">
        <span>{words.month}</span>
        <select {...field('month')}>
          <option value="">{words.choose}</option>
          {monthNames(texts.language).map((name, index) => (
            <option value={String(index + 1)} key={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    ),
    day: (
      <label class="field" key="day">
        <span>{words.day}</span>
        <input {...field('day')} inputMode="numeric" maxLength={2} />
      </label>
    ),
    year: (
      <label class="field" key="year">
        <span>{words.year}</span>
        <input {...field('year')} inputMode="numeric" maxLength={4} />
      </label>
    ),
  }
  return (
    <Card>
      <Title>{isAgain ? words.titleAgain : words.title}</Title>
      <p>{isAgain ? words.whyAgain : why}</p>
      <form onSubmit={submit} autoComplete="off" noValidate>
        <fieldset>
          <legend>{words.legend}</legend>
          <div class="date">{orderOf(texts.language).map((part) => fields[part])}</div>
        </fieldset>
        <p class="problem" id={problemId} role="alert">
          {told}
        </p>
        <button class="main" type="submit" aria-disabled={isBusy}>
          {isBusy ? words.checking : words.submit}
        </button>
      </form>
    </Card>
  )
}

function wordProblem({ birthDate }: Texts, problem: BirthDateProblem | null): string | null {
  return problem === null ? null : birthDate[problem]
}
