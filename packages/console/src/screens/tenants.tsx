import type { ConsoleTenant } from '@casenote/contract'
import { formatBytes } from '../format.js'
import { LiveList } from '../ui/live-list.js'
import { Go, Pill, Time, Title } from '../ui/parts.js'
import type { Column } from '../ui/table.js'
import { spellOut } from '../words.js'

const columns: readonly Column<ConsoleTenant>[] = [
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
  { name: 'Since', show: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Stored', show: ({ storedBytes }) => formatBytes(storedBytes), isNumber: true },
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
