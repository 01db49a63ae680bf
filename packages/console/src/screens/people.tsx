import type { Facts } from '../answers.js'
import { useTenantPath } from '../console-state.js'
import { formatNumber } from '../format.js'
import { LiveList } from '../ui/live-list.js'
import { Id, Pill, Title } from '../ui/parts.js'
import type { Column } from '../ui/table.js'
import { spellOut } from '../words.js'

interface Person extends Facts {
  id: string
  externalId?: string | null
  active?: boolean
}

const columns: readonly Column<Person>[] = [
  { name: 'Id', show: ({ id }) => <Id id={id} /> },
  { name: 'External id', show: ({ externalId }) => <Id id={externalId} /> },
  {
    name: 'State',
    show: ({ active }) =>
      active === false ? <Pill tone="quiet" text="Not active" /> : <Pill tone="good" text="Active" />,
  },
  { name: 'Counts', show: (row) => listCounts(row) || '–' },
]

/** Every number that the service tells of a row, under its own name. */
const listCounts = (row: Facts): string =>
  Object.entries(row)
    .flatMap(([name, value]) =>
      typeof value === 'number' ? [`${spellOut(name).toLowerCase()} ${formatNumber(value)}`] : [],
    )
    .join(', ')

/** By id and by the partner's own id: names are for those who treat. */
export function People() {
  const path = useTenantPath()
  return (
    <>
      <Title>Clinics and clinicians</Title>
      <p class="soft">Ids only: the console shows no names.</p>
      <section>
        <h2>Clinics</h2>
        <LiveList
          label="Clinics"
          path={`${path}/clinics`}
          filters={{}}
          columns={columns}
          keyOf={({ id }) => id}
          empty="There is no clinic."
        />
      </section>
      <section>
        <h2>Clinicians</h2>
        <LiveList
          label="Clinicians"
          path={`${path}/clinicians`}
          filters={{}}
          columns={columns}
          keyOf={({ id }) => id}
          empty="There is no clinician."
        />
      </section>
    </>
  )
}
