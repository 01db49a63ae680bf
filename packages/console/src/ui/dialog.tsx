import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** The browser's own: Escape closes it, the focus stays within, and returns to where it came from. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  /** A dialog that is taken away closes, too: only a user's closing is passed on. */
  const isGone = useRef(false)
  const titleId = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => {
      isGone.current = true
      element?.close()
    }
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={() => !isGone.current && onClose()}>
      <h2 id={titleId}>{title}</h2>
      {children}
      <form method="dialog" class="dialog-foot">
        <button class="button second">Close</button>
      </form>
    </dialog>
  )
}
