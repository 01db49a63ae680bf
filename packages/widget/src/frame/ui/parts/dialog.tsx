import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { useUi } from '../ui-context.js'
import { Button } from './button.js'

interface DialogProps {
  title: string
  onClose: () => void
  /** The decision; cancelling stands beside it. Without: there is nothing to decide. */
  confirm?: ComponentChildren
  isWide?: boolean
  children: ComponentChildren
}

/** Rendered while it is open. The browser keeps the focus in it, and gives it back. */
export function Dialog({ title, onClose, confirm, isWide, children }: DialogProps) {
  const { engine, texts: shown } = useUi()
  const texts = shown.value
  const isLocked = engine.auth.value.state === 'locked'
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const element = dialog.current
    const opener = document.activeElement
    return () => {
      element?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  // An open one would keep the lock's own button out of reach.
  useEffect(() => {
    if (isLocked) dialog.current?.close()
    else dialog.current?.showModal()
  }, [isLocked])
  return (
    <dialog
      ref={dialog}
      class={isWide === true ? 'wide' : undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div class="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <Button kind="quiet" icon="close" label={texts.general.close} onClick={onClose} />
      </div>
      <div class="dialog-body">{children}</div>
      {confirm === undefined ? null : (
        <div class="dialog-foot">
          <Button onClick={onClose}>{texts.general.cancel}</Button>
          {confirm}
        </div>
      )}
    </dialog>
  )
}
