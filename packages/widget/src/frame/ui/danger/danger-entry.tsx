import type { DangerItem } from '@casenote/contract'
import { fill } from '../../texts/fill.js'
import { formatDay, formatName, formatTime } from '../format.js'
import { Button } from '../parts/button.js'
import { recordLanguage } from '../record-language.js'
import { useUi } from '../ui-context.js'

/** The note whose screen it is: its own words lead to the transcript. */
export interface LookedAtNote {
  sessionId: string
  /** Shows lines of the transcript; `from`, a selector, is where the way back leads. */
  showLines: (lines: readonly number[], from: string) => void
}

interface DangerEntryProps {
  item: DangerItem
  isOfManyClients: boolean
  ofNote: LookedAtNote | undefined
  onSee: () => void
  onClose: () => void
}

/** What it is, the words, when; who has seen it; and how it is answered for. */
export function DangerEntry({ item, isOfManyClients, ofNote, onSee, onClose }: DangerEntryProps) {
  const { engine, texts } = useUi()
  const { danger: words, locale } = texts.value
  const { client, seenAt } = item
  const seen = seenAt === null ? words.see : fill(words.seenOn, { date: formatDay(locale, seenAt) })
  return (
    <li data-seen={seenAt !== null}>
      <p class="danger-what">
        {isOfManyClients ? (
          <button type="button" class="link" onClick={() => engine.select(client.id)}>
            {formatName(client)}
          </button>
        ) : null}
        <strong>{item.label}</strong>
        <Standing item={item} />
      </p>
      <DangerWords item={item} />
      <LeftOpen item={item} />
      <div class="danger-foot">
        <p class="muted detail">
          {fill(item.sessionId === null ? words.answered : words.said, { date: formatTime(locale, item.at) })}{' '}
          <Place item={item} ofNote={ofNote} />
        </p>
        <div class="row">
          <Button
            icon="check"
            class="small"
            label={`${seen}: ${item.label}`}
            isPressed={seenAt !== null}
            isDisabled={seenAt !== null}
            onClick={onSee}
          >
            {seen}
          </Button>
          <Button kind="quiet" class="small" label={`${words.close}: ${item.label}`} onClick={onClose}>
            {words.close}
          </Button>
        </div>
      </div>
    </li>
  )
}

export function DangerWords({ item: { sessionId, question, words } }: { item: DangerItem }) {
  const { texts } = useUi()
  return (
    <div class="danger-words">
      {question === null ? null : <p class="detail">{question}</p>}
      <blockquote lang={sessionId === null ? undefined : recordLanguage}>
        {fill(texts.value.review.words, { words })}
      </blockquote>
    </div>
  )
}

function Standing({ item: { standing } }: { item: DangerItem }) {
  const { danger: words } = useUi().texts.value
  if (standing === null) return null
  const kinds = { in_note: 'good', not_in_note: 'danger', older: '' }
  return <span class={`chip ${kinds[standing]}`}>{words.standing[standing]}</span>
}

/** Where it can be read or heard. */
function Place({ item, ofNote }: Pick<DangerEntryProps, 'item' | 'ofNote'>) {
  const { go, texts } = useUi()
  const { note, danger: words } = texts.value
  const { sessionId, transcriptItems, label } = item
  if (sessionId === null) return null
  if (sessionId !== ofNote?.sessionId)
    return (
      <button
        type="button"
        class="link"
        aria-label={`${words.openSession}: ${label}`}
        onClick={() => go({ name: 'session', sessionId })}
      >
        {words.openSession}
      </button>
    )
  if (transcriptItems.length === 0) return null
  return (
    <button
      type="button"
      class="link"
      aria-label={`${note.showInTranscript}: ${label}`}
      data-danger={item.id}
      onClick={() => ofNote.showLines(transcriptItems, `[data-danger="${CSS.escape(item.id)}"]`)}
    >
      {note.showInTranscript}
    </button>
  )
}

function LeftOpen({ item: { leftOpen } }: { item: DangerItem }) {
  const { danger: words, locale } = useUi().texts.value
  if (leftOpen === null) return null
  const { at, reason } = leftOpen
  const date = formatDay(locale, at)
  return (
    <p class="muted detail">
      {reason === null ? fill(words.leftOpen, { date }) : fill(words.leftOpenWhy, { date, reason })}
    </p>
  )
}
