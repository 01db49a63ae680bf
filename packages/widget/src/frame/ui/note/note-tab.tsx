import type { ProgressNote } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { fillCount } from '../../texts/fill.js'
import { withoutShown } from '../danger/danger-list.js'
import { wordSigned } from '../format.js'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { Pending } from '../parts/pending.js'
import { useTexts, useUi } from '../ui-context.js'
import { useSession } from '../session/session-context.js'
import { useWide } from '../use-wide.js'
import { Addenda } from './addenda.js'
import { MagicEditPanel } from './magic-edit.js'
import { EvidencePanel } from './evidence-panel.js'
import { NoteBar } from './note-bar.js'
import { isExtract, isSigned } from './note-editor.js'
import { NoteSectionView } from './note-section.js'
import { withoutPlan } from './plan-sections.js'
import { usePrintedNote } from './printed-note.js'
import { RegenerateDialog } from './regenerate-dialog.js'
import { ReviewList } from './review-list.js'
import { RewriteOutcomeNotice } from './rewrite-outcome.js'
import { countUnsupported } from './split-evidence.js'

export function NoteTab() {
  const { model } = useSession()
  const note = model.editor.note.value
  return note === null ? <Pending lines={8} /> : <Note note={note} />
}

function Note({ note }: { note: ProgressNote }) {
  const { model, session, danger } = useSession()
  const place = useRef<HTMLDivElement>(null)
  const isBeside = useWide()
  usePrintedNote()
  const isLocked = isSigned(note)
  const isWritten = !note.isLoading && note.status !== 'failed'
  return (
    <div class="note stack" data-locked={isLocked} ref={place}>
      <NoteNotices note={note} />
      <h2>{note.template.title}</h2>
      {isWritten ? <ReviewList review={withoutShown(note.review, danger)} /> : null}
      {note.isLoading || isWritten ? (
        <div class="note-body">
          <Sections note={note} isEditable={isWritten && !isLocked} isBeside={isBeside} />
          {isBeside ? <EvidencePanel isBeside /> : null}
        </div>
      ) : null}
      {isLocked ? <Addenda addenda={note.addenda} /> : null}
      {isWritten && !isLocked && model.editor.conflicts.value.length === 0 ? (
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
  const { session } = useSession()
  const { note: words } = texts.value
  const unsupported = countUnsupported(note.note)
  return (
    <>
      {note.finalizedAt === null ? null : (
        <Notice kind="info" icon="lock">
          {wordSigned(texts.value, note.finalizedAt, note.signedBy)}
        </Notice>
      )}
      <RewriteOutcomeNotice />
      {note.isLoading && session.stage === 'done' ? (
        <Notice kind="info" icon="edit" role="status">
          {words.rewriting}
        </Notice>
      ) : null}
      {note.status === 'failed' ? (
        <Notice kind="danger" role="alert">
          {words.failed}
        </Notice>
      ) : null}
      {isExtract(note) && note.note.length > 0 ? (
        <Notice kind="info" title={words.extractTitle}>
          {words.extract}
        </Notice>
      ) : null}
      {unsupported > 0 && note.finalizedAt === null && !note.isLoading ? (
        <Notice kind="warning">{fillCount(texts.value, words.unsupportedCount, unsupported)}</Notice>
      ) : null}
    </>
  )
}

interface SectionsProps {
  note: ProgressNote
  isEditable: boolean
  isBeside: boolean
}

/** In the template's order; what is not written yet keeps its place. */
function Sections({ note, isEditable, isBeside }: SectionsProps) {
  const { engine } = useUi()
  const { model } = useSession()
  const { hideTreatmentPlan } = engine.settings.value
  const written = withoutPlan(model.editor.sections.value, hideTreatmentPlan)
  const keys = new Set(written.map(({ key }) => key))
  const coming = withoutPlan(note.template.sections, hideTreatmentPlan).filter(({ key }) => !keys.has(key))
  return (
    <div class="sections">
      {written.map((section) => (
        <NoteSectionView key={section.key} section={section} isEditable={isEditable} isBeside={isBeside} />
      ))}
      {note.isLoading
        ? coming.map(({ key, title }) => (
            <section key={key} class="note-section coming">
              <h3>{title}</h3>
              <Pending lines={2} />
            </section>
          ))
        : null}
    </div>
  )
}

function WriteAgain() {
  const { note: words } = useTexts()
  const isAsking = useSignal(false)
  return (
    <div class="row">
      <Button kind="primary" icon="refresh" onClick={() => (isAsking.value = true)}>
        {words.regenerate}
      </Button>
      {isAsking.value ? <RegenerateDialog onClose={() => (isAsking.value = false)} /> : null}
    </div>
  )
}
