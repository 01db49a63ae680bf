import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useSession } from '../open-session/session-context.js'
import { Button } from '../parts/button.js'
import { Later } from '../parts/later.js'
import { Menu, type MenuItem } from '../parts/menu.js'
import { useUi } from '../ui-context.js'
import { CoSigningButtons, useCoSigning } from './co-signature.js'
import { CopyTextButton, CopyToPageButton, useCopy } from './copy-buttons.js'
import { FinalizeDialog } from './finalize-dialog.js'
import { toSections } from './note-text.js'
import { toPlainText, withoutPlan } from './plan-sections.js'
import { RegenerateDialog } from './regenerate-dialog.js'
import { SaveIndicator } from './save-indicator.js'

/** A part of its own: most notes are signed without a look at what they were. */
const loadHistory = () => import('./history-dialog.js')

type OpenDialog = 'history' | 'regenerate' | 'finalize' | null

/** What is done with a note as a whole. Always in sight, below what is read. */
export function NoteBar({ isLocked, onAddendum }: { isLocked: boolean; onAddendum: () => void }) {
  const { texts } = useUi()
  const { note: words, addenda } = texts.value
  const { editor } = useSession().model
  const dialog = useSignal<OpenDialog>(null)
  const close = (): void => {
    dialog.value = null
  }
  const isDisputed = editor.conflicts.value.length > 0
  const sign = (): void => {
    dialog.value = 'finalize'
  }
  const onSigned = useFocusOnSigned(dialog.value)
  const part = useCoSigning()
  const isOpen = part === null && !isLocked
  useSignKeys((isOpen && !isDisputed) || part?.canSign === true, sign)
  return (
    <div class="action-bar" role="group" aria-label={words.actions}>
      {isOpen ? <SaveIndicator /> : null}
      <span class="grow" />
      {part?.isSupervisor === true ? null : <CopyButton />}
      {part === null ? null : <CoSigningButtons part={part} onSign={sign} />}
      {part === null && isLocked ? (
        <Button icon="edit" onClick={onAddendum}>
          {addenda.open}
        </Button>
      ) : null}
      {isOpen ? (
        <Button
          kind="primary"
          icon="lock"
          isDisabled={isDisputed}
          keys="Control+Enter Meta+Enter"
          onClick={sign}
        >
          {words.finalize}
        </Button>
      ) : null}
      <NoteMenu canRewrite={isOpen && !isDisputed} open={(name) => (dialog.value = name)} />
      {dialog.value === 'history' ? (
        <Later
          load={loadHistory}
          pending={null}
          show={({ HistoryDialog }) => <HistoryDialog onClose={close} />}
        />
      ) : null}
      {dialog.value === 'regenerate' ? <RegenerateDialog onClose={close} /> : null}
      {dialog.value === 'finalize' ? <FinalizeDialog onClose={close} onSigned={onSigned} /> : null}
    </div>
  )
}

/** The button that began it is gone by then: once the dialog is, the focus is on who signed. */
function useFocusOnSigned(open: OpenDialog): () => void {
  const isSigned = useRef(false)
  useEffect(() => {
    if (open !== null || !isSigned.current) return
    isSigned.current = false
    if (document.hasFocus()) document.querySelector<HTMLElement>('.note > .notice[tabindex]')?.focus()
  }, [open])
  return () => {
    isSigned.current = true
  }
}

/** From anywhere on the note but a field, where Enter belongs to what is typed. It only asks: signing is confirmed. */
function useSignKeys(canSign: boolean, sign: () => void): void {
  useLayoutEffect(() => {
    if (!canSign) return undefined
    const hear = (event: KeyboardEvent): void => {
      const isAsked = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat
      if (!isAsked || (event.target as HTMLElement).matches('textarea, input, select')) return
      if (document.querySelector('dialog[open], .widget[data-locked="true"]') !== null) return
      event.preventDefault()
      sign()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [canSign])
}

/** Not beside co-signing and returning, which fill the row: the menu has it. */
function CopyButton() {
  const { engine } = useUi()
  return engine.canCopy.value ? <CopyToPageButton /> : <CopyNoteButton />
}

function CopyNoteButton() {
  const text = useNoteText()
  return <CopyTextButton text={text} />
}

interface NoteMenuProps {
  canRewrite: boolean
  open: (dialog: OpenDialog) => void
}

function NoteMenu({ canRewrite, open }: NoteMenuProps) {
  const { engine, texts } = useUi()
  const { note: words } = texts.value
  const { copy, dialog } = useCopy(useNoteText())
  const coSigning = useCoSigning()
  const isCopiedHere = engine.canCopy.value || coSigning?.isSupervisor === true
  const items: MenuItem[] = [
    ...(isCopiedHere ? [{ title: words.copyText, icon: 'copy', choose: copy } as const] : []),
    // After the menu is gone: the browser's dialog holds everything else up.
    { title: words.print, icon: 'print', choose: () => setTimeout(() => print()) },
    { title: words.history, icon: 'history', choose: () => open('history') },
    ...(canRewrite
      ? [{ title: words.regenerate, icon: 'refresh', choose: () => open('regenerate') } as const]
      : []),
  ]
  return (
    <>
      <Menu label={words.more} items={items} />
      {dialog}
    </>
  )
}

/** As it is on the screen, with what is not saved yet. */
function useNoteText(): () => string {
  const { engine, texts } = useUi()
  const { editor } = useSession().model
  return () =>
    toPlainText([
      ...withoutPlan(
        editor.sections.peek(),
        editor.note.peek()?.template,
        engine.settings.peek().hideTreatmentPlan,
      ),
      ...toSections(texts.peek(), editor.note.peek()?.addenda ?? []),
    ])
}
