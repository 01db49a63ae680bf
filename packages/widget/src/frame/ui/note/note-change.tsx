import type { GoneItem, NoteRewriting } from '@casenote/contract'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { fill, fillCount } from '../../texts/fill.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Icon } from '../parts/icon.js'
import { Notice } from '../parts/notice.js'
import { useSession } from '../open-session/session-context.js'
import { useTask } from '../task.js'
import { useTexts, useUi } from '../ui-context.js'
import { DiffView } from './diff-view.js'
import { isCompared, listUndone } from '../open-session/open-change.js'

/** What became of the note since its clinician last kept it: above it, what is gone by name; the diff stands in its sections. */
export function NoteChange({ change }: { change: NoteRewriting }) {
  const { announce } = useUi()
  const texts = useTexts()
  const { change: words, note } = texts
  const { rewriter, editor } = useSession().model
  const { isBusy, failure, run } = useTask()
  const id = useId()
  const place = useRef<HTMLElement>(null)
  const isOwn = rewriter.outcome.value.kind === 'changed'
  useLayoutEffect(() => {
    // Who asked stands below the note: what came of it is at its top.
    if (isOwn) place.current?.focus()
  }, [isOwn, change.generationId])
  const { gone } = change
  const isMissing = gone !== null && gone.length > 0
  const canUndo = listUndone(change, rewriter.kept.value, editor.sections.value)?.length !== 0
  const undo = async (): Promise<void> => {
    await rewriter.undo()
    announce(note.undone)
  }
  const keep = async (): Promise<void> => {
    await rewriter.keep()
    announce(words.allKept)
  }
  const title = isCompared(change) ? fillCount(texts, words.title, change.sections.length) : words.wholeTitle
  return (
    <section class="card rewriting stack" ref={place} tabIndex={-1} aria-labelledby={id}>
      <h3 id={id}>
        <Icon name="wand" /> {title}
      </h3>
      {gone === null ? <Notice kind="warning">{words.notChecked}</Notice> : null}
      {isMissing ? (
        <Notice kind="danger" title={fillCount(texts, words.goneTitle, gone.length)}>
          <GoneList gone={gone} />
          <p>{words.goneQuestion}</p>
        </Notice>
      ) : (
        <p class="muted detail">{isCompared(change) ? words.lead : words.wholeLead}</p>
      )}
      <div class="row">
        <Button kind={isMissing ? 'plain' : 'primary'} icon="check" isBusy={isBusy} onClick={() => run(keep)}>
          {isMissing ? words.keepWithout : words.keepAll}
        </Button>
        {canUndo ? (
          <Button
            kind={isMissing ? 'primary' : 'plain'}
            icon="history"
            isBusy={isBusy}
            onClick={() => run(undo)}
          >
            {words.undoAll}
          </Button>
        ) : null}
      </div>
      <Failure error={failure} />
    </section>
  )
}

/** `isLinked`: not in a dialog, which a way to another tab would lose. */
export function GoneList({ gone, isLinked = true }: { gone: readonly GoneItem[]; isLinked?: boolean }) {
  const { change: words, note, review } = useTexts()
  const { showLines } = useSession()
  return (
    <ul class="points gone">
      {gone.map((item) => (
        <li key={item.id}>
          <strong>{item.label ?? words.kind[item.kind]}</strong>
          {item.isContradicted ? ` · ${review.reason.contradicted}` : null}
          <span class="gone-words">{fill(review.words, { words: item.words })}</span>{' '}
          {item.transcriptItems.length === 0 || !isLinked ? null : (
            <button
              type="button"
              class="link"
              aria-label={`${note.showInTranscript}: ${item.label ?? item.words}`}
              data-gone={item.id}
              onClick={() => showLines(item.transcriptItems, `[data-gone="${CSS.escape(item.id)}"]`)}
            >
              {note.showInTranscript}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

interface ChangedSectionProps {
  section: NoteRewriting['sections'][number]
  versionBefore: number
  onKeep: () => void
}

/** A section that was changed, until it is kept or undone; it cannot be typed in before that. */
export function ChangedSection({ section, versionBefore, onKeep }: ChangedSectionProps) {
  const { announce } = useUi()
  const { change: words } = useTexts()
  const { rewriter } = useSession().model
  const { isBusy, failure, run } = useTask()
  const { key, title, before, after } = section
  const undo = async (): Promise<void> => {
    await rewriter.restore(versionBefore, [key])
    announce(fill(words.undone, { title }))
  }
  return (
    <section class="note-section changed" data-key={key}>
      <div class="section-head">
        <h3 class="grow">{title}</h3>
        <span class="chip">
          {after === null ? words.removed : before === null ? words.added : words.changed}
        </span>
      </div>
      <DiffView before={before ?? ''} after={after ?? ''} />
      <div class="row">
        <Button
          icon="check"
          label={fill(words.keepSection, { title })}
          onClick={() => {
            onKeep()
            announce(fill(words.kept, { title }))
          }}
        >
          {words.keep}
        </Button>
        <Button
          kind="quiet"
          icon="history"
          isBusy={isBusy}
          label={fill(words.undoSection, { title })}
          onClick={() => run(undo)}
        >
          {words.undo}
        </Button>
      </div>
      <Failure error={failure} />
    </section>
  )
}
