import type { WidgetSession, WidgetWork, WorkState } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import type { Texts } from '../../texts/texts.js'
import { formatName, formatTime } from '../format.js'
import { Icon } from '../parts/icon.js'
import { PagedList } from '../parts/paged-list.js'
import { SessionChip } from '../parts/session-chip.js'
import { useSessionPages } from '../use-session-pages.js'
import { useTexts, useUi } from '../ui-context.js'
import { NotifySwitch } from './notify-switch.js'

/** `all` is what no state is asked for. */
type Filter = WorkState | 'all'

const filters = ['unsigned', 'ready', 'failed', 'underway', 'signed', 'all'] as const satisfies Filter[]

/** What is to be done, and where everything else is. `name`: of whom, as the search has it. */
export function WorkList({ name }: { name: string }) {
  const { work: words } = useTexts()
  const filter = useSignal<Filter>('unsigned')
  const list = useSessionPages(toPath(filter.value, name))
  return (
    <section class="stack work">
      <h2>{name === '' ? words.title : fill(words.titleOf, { name })}</h2>
      <Filters chosen={filter.value} counts={list.counts} onChoose={(next) => (filter.value = next)} />
      <PagedList
        list={list}
        empty={name === '' ? words.empty[filter.value] : words.noneFound}
        row={(session) => <WorkRow key={session.sessionId} session={session} />}
      />
      <NotifySwitch />
    </section>
  )
}

const toPath = (filter: Filter, name: string): string => {
  const query = new URLSearchParams({
    ...(filter === 'all' ? {} : { state: filter }),
    ...(name === '' ? {} : { name }),
  }).toString()
  return query === '' ? '/sessions' : `/sessions?${query}`
}

interface FiltersProps {
  chosen: Filter
  counts: WidgetWork['counts'] | null
  onChoose: (filter: Filter) => void
}

function Filters({ chosen, counts, onChoose }: FiltersProps) {
  const { work: words } = useTexts()
  return (
    <div class="chips" role="group" aria-label={words.filter}>
      {filters.map((filter) => {
        const count = counts === null ? null : countOf(filter, counts)
        return (
          <button
            key={filter}
            type="button"
            class="chip choice"
            aria-pressed={filter === chosen}
            onClick={() => onChoose(filter)}
          >
            {words.states[filter]}
            {count === null ? null : <span class="count"> {count}</span>}
          </button>
        )
      })}
    </div>
  )
}

/** What grows for ever is not counted. */
function countOf(filter: Filter, { ready, underway, failed }: WidgetWork['counts']): number | null {
  if (filter === 'unsigned') return ready + underway + failed
  if (filter === 'signed' || filter === 'all') return null
  return { ready, underway, failed }[filter]
}

function WorkRow({ session }: { session: WidgetSession }) {
  const { go, texts } = useUi()
  const { locale, noteTypes } = texts.value
  const when = formatTime(locale, session.startedAt ?? session.createdAt)
  const trouble = wordTrouble(texts.value, session)
  return (
    <li>
      <button
        type="button"
        class="list-row"
        onClick={() => go({ name: 'session', sessionId: session.sessionId })}
      >
        <span class="grow">
          <span class="row-title">{formatName(session.client)}</span>
          <span class="muted detail">
            {when} · {noteTypes[session.noteType]}
          </span>
          {trouble === null ? null : <span class="detail trouble">{trouble}</span>}
        </span>
        <SessionChip session={session} />
        <Icon name="chevron" />
      </button>
    </li>
  )
}

/** What went wrong and what comes next, in words; null where nothing did. */
function wordTrouble({ work: words }: Texts, session: WidgetSession): string | null {
  if (session.stage === 'failed') {
    const { canBeTriedAgain, canWriteAnyway, hasTranscript } = session
    // A session whose language was not understood has ways out of its own.
    const hasWayOut = canBeTriedAgain || canWriteAnyway
    const next = hasWayOut ? words.next.try : hasTranscript ? words.next.open : words.next.again
    return `${session.failure ?? words.failedUnknown}. ${next}`
  }
  const { status, isLoading } = session.note
  const isNoteMissing = session.stage === 'done' && status === 'failed' && !isLoading
  return isNoteMissing ? `${words.noNote} ${words.next.rewrite}` : null
}
