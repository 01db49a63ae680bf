import type { Tenant } from '../answers.js'
import { LiveList } from '../ui/live-list.js'
import { Go, Pill, Title } from '../ui/parts.js'
import type { Column } from '../ui/table.js'
import { spellOut } from '../words.js'

const columns: readonly Column<Tenant>[] = [
  {
    name: 'Tenant',
    show: ({ id }) => (
      <Go screen="overview" tenantId={id}>
        <code>{id}</code>
      </Go>
    ),
  },
  { name: 'Kind', show: ({ kind }) => spellOut(kind) },
  {
    name: 'State',
    show: ({ isSuspended }) =>
      isSuspended ? <Pill tone="bad" text="Suspended" /> : <Pill tone="good" text="Active" />,
  },
]

export function Tenants() {
  return (
    <>
      <Title>Tenants</Title>
      <LiveList
        label="Tenants"
        path="/tenants"
        filters={{}}
        columns={columns}
        keyOf={({ id }) => id}
        empty="There is no tenant yet."
      />
    </>
  )
}
