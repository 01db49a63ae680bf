import type { ProgressNote } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { fillCount } from '../../texts/fill.js'
import { withoutShown } from '../danger/danger-list.js'
import { wordSigned } from '../format.js'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { useTexts, useUi } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'
import { NoteGoals } from '../plans/note-goals.js'
import { Unread } from '../open-session/unread.js'
import { useWide } from '../use-wide.js'
import { Addenda } from './addenda.js'
import { CoSignatureNotice } from './co-signature.js'
import { MagicEditPanel } from './magic-edit.js'
import { EvidencePanel } from './evidence-panel.js'
import { NoteBar } from './note-bar.js'
import { isExtract, isLeftEmpty, isSigned } from '../open-session/note-editor.js'
import { NoteChange } from './note-change.js'
import { Sections } from './note-sections.js'
import { usePrintedNote } from './printed-note.js'
import { RefusedText, WaitingAddendum } from './refused-text.js'
import { RegenerateDialog } from './regenerate-dialog.js'
import { ReviewList } from './review-list.js'
import { RewriteOutcomeNotice } from './rewrite-outcome.js'
import { SaveIndicator } from './save-indicator.js'
import { countUnsupported } from './split-evidence.js'

export function NoteTab() {
  const { model } = useSession()
  const note = model.editor.note.value
  return note === null ? <Unread lines={8} /> : <Note note={note} />
}

function Note({ note }: { note: ProgressNote }) {
  const { model, session, danger } = useSession()
  const place = useRef<HTMLDivElement>(null)
  const isBeside = useWide()
  usePrintedNote()
  const isLocked = isSigned(note)
  const isWritten = !note.isLoading && note.status !== 'failed'
  const isLeft = isLeftEmpty(note)
  const outcome = model.rewriter.outcome.value
  const isEdited = note.isLoading && outcome.kind === 'working' && outcome.call === 'magic-edit'
  const change = model.rewriter.change.value
  return (
    <div class="note stack" data-locked={isLocked} ref={place}>
      <NoteNotices note={note} />
      <h2>{note.template.title}</h2>
      {isWritten && !isLocked && change !== null ? <NoteChange change={change} /> : null}
      {isWritten ? <ReviewList review={withoutShown(note.review, danger)} /> : null}
      {note.isLoading || isWritten || isLeft ? (
        <div class="note-body">
          <Sections note={note} isEditable={(isWritten || isLeft) && !isLocked} isBeside={isBeside} />
          {isBeside ? <EvidencePanel isBeside /> : null}
        </div>
      ) : null}
      {isWritten ? <NoteGoals note={note} /> : null}
      {note.status === 'finalized' ? <Addenda addenda={note.addenda} /> : null}
      {(isWritten || isEdited) && !isLocked && model.editor.conflicts.value.length === 0 ? (
        <MagicEditPanel note={note} />
      ) : null}
      {note.status === 'failed' && session.stage === 'done' ? <WriteAgain /> : null}
      <div class="note-foot">
        {isBeside ? null : <EvidencePanel isBeside={false} />}
        {isWritten ? (
          <NoteBar
            isLocked={isLocked}
            onAddendum={() => place.current?.querySelector<HTMLElement>('.addenda textarea')?.focus()}
          />
        ) : null}
      </div>
    </div>
  )
}

function NoteNotices({ note }: { note: ProgressNote }) {
  const { texts } = useUi()
  const { session, model } = useSession()
  const outcome = model.rewriter.outcome.value
  const isEdited = outcome.kind === 'working' && outcome.call === 'magic-edit'
  const { note: words } = texts.value
  const unsupported = countUnsupported(note.note)
  return (
    <>
      {note.finalizedAt === null ? null : (
        <Notice kind="info" icon="lock" isFocusable>
          {wordSigned(texts.value, note.finalizedAt, note)}
        </Notice>
      )}
      <CoSignatureNotice note={note} />
      <RewriteOutcomeNotice />
      <RefusedText note={note} />
      <WaitingAddendum note={note} />
      {note.isLoading && session.stage === 'done' && !isEdited ? (
        <Notice kind="info" icon="edit" role="status">
          {words.rewriting}
        </Notice>
      ) : null}
      {note.status === 'failed' ? (
        <Notice kind="danger" role="alert">
          {isLeftEmpty(note) ? words.struck : words.failed}
        </Notice>
      ) : null}
      {isExtract(note) && note.note.length > 0 ? (
        <Notice kind="info" title={words.extractTitle}>
          {words.extract}
        </Notice>
      ) : null}
      {unsupported > 0 && note.finalizedAt === null && !note.isLoading && !isSigned(note) ? (
        <Notice kind="warning">{fillCount(texts.value, words.unsupportedCount, unsupported)}</Notice>
      ) : null}
    </>
  )
}

function WriteAgain() {
  const { note: words } = useTexts()
  const { editor } = useSession().model
  const isAsking = useSignal(false)
  return (
    <div class="row">
      <Button kind="primary" icon="refresh" onClick={() => (isAsking.value = true)}>
        {words.regenerate}
      </Button>
      {editor.saveState.value === 'saved' ? null : <SaveIndicator />}
      {isAsking.value ? <RegenerateDialog onClose={() => (isAsking.value = false)} /> : null}
    </div>
  )
}
