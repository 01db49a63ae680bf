import type { ReviewItem } from '@casenote/contract'
import { useId } from 'preact/hooks'
import { fill, fillCount } from '../../texts/fill.js'
import { Icon } from '../parts/icon.js'
import { recordLanguage } from '../record-language.js'
import { useTexts } from '../ui-context.js'
import { nameVoice } from '../open-session/speaker-name.js'
import { useSession } from '../open-session/session-context.js'

/** As many as are read at a glance; danger is shown whatever their number. */
const shownMax = 5

export const isDanger = ({ kind }: ReviewItem): boolean => kind === 'danger'

/** What was said, and is not in the note, or not so. The service puts danger first. */
export function ReviewList({ review }: { review: readonly ReviewItem[] }) {
  const texts = useTexts()
  const { review: words } = texts
  const id = useId()
  if (review.length === 0) return null
  const isShown = (item: ReviewItem, index: number): boolean => index < shownMax || isDanger(item)
  const rest = review.filter((item, index) => !isShown(item, index))
  return (
    <section class="card review stack tight" aria-labelledby={id}>
      <h3 id={id}>
        {words.title} <span class="chip">{review.length}</span>
      </h3>
      <p class="muted detail">{words.lead}</p>
      <ReviewItems items={review.filter(isShown)} />
      {rest.length === 0 ? null : (
        <details>
          <summary>{fillCount(texts, texts.danger.more, rest.length)}</summary>
          <ReviewItems items={rest} />
        </details>
      )}
    </section>
  )
}

const ReviewItems = ({ items }: { items: readonly ReviewItem[] }) => (
  <ul class="plain-list">
    {items.map((item) => (
      <ReviewEntry key={item.id} item={item} />
    ))}
  </ul>
)

function ReviewEntry({ item }: { item: ReviewItem }) {
  const texts = useTexts()
  const { note, review: words } = texts
  const { model, showLines } = useSession()
  return (
    <li class={item.kind}>
      <p>
        {isDanger(item) ? (
          <span class="chip danger">
            <Icon name="warning" />
            {words.danger}
          </span>
        ) : null}{' '}
        <strong>{item.label}</strong>{' '}
        {item.speaker === undefined ? null : (
          <span>({nameVoice({ speaker: item.speaker }, model.transcript.value ?? {}, texts)})</span>
        )}{' '}
        <span class="muted detail">·&nbsp;{words.reason[item.reason]}</span>
      </p>
      <p>
        {item.words === '' ? null : (
          <span lang={recordLanguage}>{fill(words.words, { words: item.words })}</span>
        )}{' '}
        {item.transcriptItems.length === 0 ? null : (
          <button
            type="button"
            class="link"
            aria-label={`${note.showInTranscript}: ${item.label}`}
            data-review={item.id}
            onClick={() => showLines(item.transcriptItems, `[data-review="${CSS.escape(item.id)}"]`)}
          >
            {note.showInTranscript}
          </button>
        )}
      </p>
    </li>
  )
}
