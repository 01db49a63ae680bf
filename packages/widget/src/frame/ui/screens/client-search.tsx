import type { Page, WidgetClient } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { fill, fillCount } from '../../texts/fill.js'
import { formatDate, formatName } from '../format.js'
import { useLoad } from '../load.js'
import { Failure } from '../parts/failure.js'
import { Field } from '../parts/field.js'
import { Icon } from '../parts/icon.js'
import { Pending } from '../parts/pending.js'
import { useTexts, useUi } from '../ui-context.js'

/** Long enough that a typed name is one question, short enough to feel immediate. */
const typingPauseMs = 250

interface ClientSearchProps {
  /** Without: they are opened. */
  onChoose?: (client: WidgetClient) => void
  /** What is searched for, whenever it changes; empty: nothing. */
  onAsk?: (name: string) => void
  exceptId?: string
}

export function ClientSearch({ onAsk, ...props }: ClientSearchProps) {
  const texts = useTexts()
  const id = useId()
  const typed = useSignal('')
  const asked = useSignal('')
  useEffect(() => {
    const timer = setTimeout(() => {
      asked.value = typed.value.trim()
      onAsk?.(asked.value)
    }, typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed.value])
  return (
    <search class="stack">
      <Field label={texts.home.searchLabel} id={id}>
        <div class="search-box">
          <Icon name="search" />
          <input
            id={id}
            type="search"
            autocomplete="off"
            placeholder={texts.home.searchHint}
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value
            }}
          />
        </div>
      </Field>
      {asked.value === '' ? null : <SearchResults name={asked.value} {...props} />}
    </search>
  )
}

function SearchResults({ name, onChoose, exceptId }: ClientSearchProps & { name: string }) {
  const { engine, texts, announce } = useUi()
  const found = useLoad(async () => {
    const page = await engine.api.get<Page<WidgetClient>>(`/clients?name=${encodeURIComponent(name)}`)
    announce(fillCount(texts.peek(), texts.peek().home.found, page.meta.totalItems))
    return page
  }, [name])
  const result = found.result.value
  if (result.state === 'loading') return <Pending />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={found.again} />
  if (result.value.data.length === 0) return <p class="muted">{texts.value.home.noneFound}</p>
  return (
    <ul class="list" aria-label={texts.value.home.searchResults}>
      {result.value.data
        .filter(({ id }) => id !== exceptId)
        .map((client) => (
          <ClientRow
            key={client.id}
            client={client}
            onClick={() => (onChoose === undefined ? engine.select(client.id) : onChoose(client))}
          />
        ))}
    </ul>
  )
}

function ClientRow({ client, onClick }: { client: WidgetClient; onClick: () => void }) {
  const { texts } = useUi()
  const { locale, general, home } = texts.value
  return (
    <li>
      <button type="button" class="list-row" onClick={onClick}>
        <span class="grow">
          <span class="row-title">{formatName(client)}</span>
          <span class="muted detail">
            {fill(general.born, { date: formatDate(locale, client.dateOfBirth) })}
          </span>
        </span>
        {client.isArchived ? <span class="chip">{home.archived}</span> : null}
        <Icon name="chevron" />
      </button>
    </li>
  )
}
