import type { ConsoleClinic, ConsoleClinician } from '@casenote/contract'
import { useTenantPath } from '../console-state.js'
import { formatNumber } from '../format.js'
import { LiveList } from '../ui/live-list.js'
import { Id, Pill, Time, Title } from '../ui/parts.js'
import type { Column } from '../ui/table.js'

const clinicColumns: readonly Column<ConsoleClinic>[] = [
  { name: 'Clinic', show: ({ id }) => <Id id={id} /> },
  { name: 'Organization', show: ({ organizationId }) => <Id id={organizationId} /> },
  { name: 'Clinicians', show: ({ clinicians }) => formatNumber(clinicians), isNumber: true },
  { name: 'Since', show: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The service counts no further, for each of them. */
const sessionsCountedMost = 1_000

const clinicianColumns: readonly Column<ConsoleClinician>[] = [
  { name: 'Clinician', show: ({ id }) => <Id id={id} /> },
  { name: 'Clinic', show: ({ clinicId }) => <Id id={clinicId} /> },
  {
    name: 'State',
    show: ({ active }) =>
      active ? <Pill tone="good" text="Active" /> : <Pill tone="quiet" text="Not active" />,
  },
  {
    name: 'Sessions',
    show: ({ sessions }) =>
      sessions < sessionsCountedMost
        ? formatNumber(sessions)
        : `${formatNumber(sessionsCountedMost)} or more`,
    isNumber: true,
  },
]

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
          columns={clinicColumns}
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
          columns={clinicianColumns}
          keyOf={({ id }) => id}
          empty="There is no clinician."
        />
      </section>
    </>
  )
}
