import type { DangerItem } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { fill, fillCount } from '../../texts/fill.js'
import { explain } from '../load.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Icon } from '../parts/icon.js'
import { Notice } from '../parts/notice.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'
import { CloseDangerDialog } from './close-danger-dialog.js'
import { DangerEntry, type LookedAtNote } from './danger-entry.js'
import type { DangerList } from './danger-list.js'

/** As many as leave room for what the screen is for. What is missing in a note is shown whatever its number; in the compact view one. */
const shownMax = 4

/** What this clinician has seen, and no note lacks, is open and one line further away. */
const isCalm = ({ seenAt, standing }: DangerItem): boolean => seenAt !== null && standing !== 'not_in_note'

interface DangerStripProps {
  list: DangerList
  /** Whether it stands on home: each item says whose it is. */
  isOfManyClients?: boolean
  ofNote?: LookedAtNote
}

/** What is open about danger, above everything else of a screen. Nothing is open: nothing is shown. */
export function DangerStrip({ list, isOfManyClients = false, ofNote }: DangerStripProps) {
  const { texts, announce, isCompact } = useUi()
  const { danger: words } = texts.value
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const closing = useSignal<DangerItem | null>(null)
  const task = useTask()
  const hasActed = useRef(false)
  const known = list.danger.value
  const isClosing = closing.value !== null
  useLayoutEffect(() => {
    if (!hasActed.current || isClosing) return
    hasActed.current = false
    // What was closed, or went below, took its button with it.
    if (document.activeElement === document.body) (heading.current ?? document.querySelector('h1'))?.focus()
  }, [known, isClosing])
  if (known === null || known.items.length === 0) return <NotLoaded list={list} />
  const { items, total } = known
  const unseen = items.filter(({ seenAt }) => seenAt === null)
  const loud = items.filter((item) => !isCalm(item))
  const shown = isCompact.value
    ? loud.slice(0, 1)
    : loud.filter(({ standing }, index) => index < shownMax || standing === 'not_in_note')
  const rest = items.filter((item) => !shown.includes(item))
  const restTitle = rest.every(isCalm) ? words.seenRest : words.more
  const see = (seen: readonly DangerItem[]): void => {
    hasActed.current = true
    task.run(() => list.see(seen).then(() => announce(words.seenTold)))
  }
  const toEntry = (item: DangerItem) => (
    <DangerEntry
      key={item.id}
      item={item}
      isOfManyClients={isOfManyClients}
      ofNote={ofNote}
      onSee={() => see([item])}
      onClose={() => (closing.value = item)}
    />
  )
  return (
    <section class="danger-strip" aria-labelledby={id}>
      <div class="danger-head">
        <Icon name="warning" />
        <h2 id={id} ref={heading} tabIndex={-1}>
          {fillCount(texts.value, words.title, total)}
        </h2>
        {unseen.length > 0 && total > 1 ? (
          <span class="detail">{fill(words.unseen, { count: unseen.length })}</span>
        ) : null}
        {unseen.length > 1 && !isOfManyClients ? (
          <Button kind="quiet" icon="check" isBusy={task.isBusy} onClick={() => see(unseen)}>
            {words.seeAll}
          </Button>
        ) : null}
      </div>
      <NotLoaded list={list} />
      {shown.length === 0 ? null : <ul class="plain-list">{shown.map(toEntry)}</ul>}
      {rest.length === 0 ? null : (
        <details>
          <summary>{fillCount(texts.value, restTitle, rest.length)}</summary>
          <ul class="plain-list">{rest.map(toEntry)}</ul>
        </details>
      )}
      {total > items.length ? (
        <p class="muted detail">{fill(words.unlisted, { count: total - items.length })}</p>
      ) : null}
      <Failure error={task.failure} />
      {closing.value === null ? null : (
        <CloseDangerDialog
          item={closing.value}
          close={async (reason) => {
            if (closing.value !== null) await list.close(closing.value, reason)
            announce(words.closedTold)
          }}
          onClose={() => {
            hasActed.current = true
            closing.value = null
          }}
        />
      )}
    </section>
  )
}

/** That nothing is open, or nothing more, is something to be known, and not to be taken from an answer that did not come. */
export function NotLoaded({ list }: { list: DangerList }) {
  const { texts } = useUi()
  const error = list.failure.value
  if (error === null) return null
  return (
    <Notice
      kind="warning"
      title={texts.value.danger.notLoaded}
      actions={
        <Button icon="refresh" onClick={() => void list.load()}>
          {texts.value.general.retry}
        </Button>
      }
    >
      {explain(error, texts.value)}
    </Notice>
  )
}
