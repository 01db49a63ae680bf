import type { ConsoleSession } from '@casenote/contract'
import { useConsole, useTenantPath } from '../console-state.js'
import { OpenById, Pick } from '../ui/filters.js'
import { LiveList } from '../ui/live-list.js'
import { Go, Pill, Time, Title } from '../ui/parts.js'
import type { Column } from '../ui/table.js'
import { sessionWords, wordStatus } from '../words.js'

const statuses = Object.entries(sessionWords).map(([status, { text }]) => [status, text] as const)

const columns: readonly Column<ConsoleSession>[] = [
  {
    name: 'Session',
    show: ({ id }) => (
      <Go screen="sessions" id={id}>
        <code>{id}</code>
      </Go>
    ),
  },
  { name: 'Status', show: (row) => <SessionStatusPill row={row} /> },
  { name: 'Created', show: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Changed', show: ({ updatedAt }) => <Time at={updatedAt} /> },
  { name: 'Why it failed', show: ({ failure }) => failure?.message ?? '–' },
]

export function Sessions() {
  const { status = '' } = useConsole().place.value.filters
  return (
    <>
      <Title>Sessions</Title>
      <div class="filters">
        <Pick name="status" label="Status" options={statuses} />
        <OpenById screen="sessions" label="Open by id" />
      </div>
      <LiveList
        label="Sessions"
        path={`${useTenantPath()}/sessions`}
        filters={{ status }}
        columns={columns}
        keyOf={({ id }) => id}
        empty={status === '' ? 'There is no session yet.' : 'No session has this status.'}
      />
    </>
  )
}

export function SessionStatusPill({ row: { status, progress } }: { row: ConsoleSession }) {
  const worded = wordStatus(sessionWords, status)
  const isUnderWay = worded.tone === 'busy'
  return (
    <Pill
      tone={worded.tone}
      text={isUnderWay ? `${worded.text} ${Math.round(progress * 100)} %` : worded.text}
    />
  )
}
