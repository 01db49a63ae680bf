import { useState } from 'preact/hooks'
import type { ConsoleAuditEntry, ConsoleList } from '@casenote/contract'
import { useConsole, useTenantPath } from '../console-state.js'
import { timeZone } from '../format.js'
import { Field } from '../ui/field.js'
import { Button, Problem, Time, Title } from '../ui/parts.js'
import { Table, type Column } from '../ui/table.js'
import { useAct } from '../use-act.js'

const columns: readonly Column<ConsoleAuditEntry>[] = [
  { name: 'When', show: ({ at }) => <Time at={at} /> },
  { name: 'Who', show: ({ who }) => <span class="breaks">{who}</span> },
  { name: 'What', show: ({ what }) => what },
  { name: 'Outcome', show: ({ outcome }) => outcome },
  { name: 'From', show: ({ from }) => from ?? '–' },
  {
    name: 'Records',
    show: ({ records }) => (
      <ul class="ids">
        {records.map((record) => (
          <li key={record}>
            <code>{record}</code>
          </li>
        ))}
      </ul>
    ),
  },
]

interface Asked {
  about: 'client' | 'clinician' | 'everybody'
  id: string
  from: string
  to: string
}

/** Asked for by a person and never by itself: every report stands in the log that it is made of. */
export function Audit() {
  const desk = useConsole()
  const act = useAct()
  const path = `${useTenantPath()}/audit`
  const [asked, setAsked] = useState<Asked>({ about: 'client', id: '', from: '', to: '' })
  const [shown, setShown] = useState<{
    query: URLSearchParams
    rows: ConsoleAuditEntry[]
    next: string | null
  } | null>(null)

  const ask = async (
    query: URLSearchParams,
    before: readonly ConsoleAuditEntry[],
    cursor: string | null,
  ): Promise<void> => {
    const whole = new URLSearchParams(query)
    if (cursor !== null) whole.set('cursor', cursor)
    const done = await act.run(() => desk.call<ConsoleList<ConsoleAuditEntry>>('GET', `${path}?${whole}`))
    if (done !== null) setShown({ query, rows: [...before, ...done.value.data], next: done.value.next })
  }

  return (
    <>
      <Title>Audit report</Title>
      <p class="soft">Who saw and changed what, oldest first. The report is recorded too.</p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          setShown(null)
          void ask(toQuery(asked), [], null)
        }}
      >
        <label class="field">
          <span>About</span>
          <select
            class="filter"
            value={asked.about}
            onChange={({ currentTarget }) =>
              setAsked({ ...asked, about: currentTarget.value as Asked['about'] })
            }
          >
            <option value="client">A client</option>
            <option value="clinician">A clinician</option>
            <option value="everybody">Everybody</option>
          </select>
        </label>
        {asked.about !== 'everybody' && (
          <Field label="Id" value={asked.id} onType={(id) => setAsked({ ...asked, id })} />
        )}
        <Field
          label={`From (${timeZone()})`}
          type="datetime-local"
          isRequired={false}
          value={asked.from}
          onType={(from) => setAsked({ ...asked, from })}
        />
        <Field
          label="Until"
          type="datetime-local"
          isRequired={false}
          value={asked.to}
          onType={(to) => setAsked({ ...asked, to })}
        />
        <Button kind="main" isBusy={act.isBusy}>
          Make the report
        </Button>
      </form>
      <Problem text={act.problem} />
      <p role="status" class="soft">
        {act.isBusy ? 'Reading the log …' : shown === null ? '' : `${shown.rows.length} entries`}
      </p>
      {shown !== null && (
        <Table
          label="Audit report"
          rows={shown.rows}
          columns={columns}
          keyOf={keyOf}
          empty="The log has nothing about it in this time."
        />
      )}
      {shown?.next != null && (
        <Button isBusy={act.isBusy} onDo={() => void ask(shown.query, shown.rows, shown.next)}>
          Show more
        </Button>
      )}
    </>
  )
}

const keyOf = ({ at, who, what, records, requestId }: ConsoleAuditEntry): string =>
  [at, who, what, requestId, ...records].join(' ')

function toQuery({ about, id, from, to }: Asked): URLSearchParams {
  const query = new URLSearchParams(about === 'everybody' ? {} : { [about]: id.trim() })
  if (from !== '') query.set('from', new Date(from).toISOString())
  if (to !== '') query.set('to', new Date(to).toISOString())
  return query
}
