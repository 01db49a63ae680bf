import type { WidgetLink } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import { formatDay } from '../format.js'
import { writeClipboard } from '../write-clipboard.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { useUi } from '../ui-context.js'

/** Shown once: the service keeps no link that could be read again. */
export function LinkDialog({ link, onClose }: { link: WidgetLink; onClose: () => void }) {
  const { texts, announce } = useUi()
  const { assessments: words, note, locale } = texts.value
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const isCopied = useSignal(false)
  const copy = async (): Promise<void> => {
    isCopied.value = await writeClipboard(link.url)
    // It is marked, so that the keys of the keyboard copy it.
    if (isCopied.value) announce(note.copied)
    else field.current?.select()
  }
  const date = formatDay(locale, link.expiresAt)
  return (
    <Dialog title={link.isEmailed ? words.mailed : words.linkTitle} onClose={onClose}>
      <p>{fill(link.isEmailed ? words.mailedLead : words.linkLead, { date })}</p>
      <Field label={words.link} id={id}>
        <input id={id} ref={field} readOnly value={link.url} onFocus={() => field.current?.select()} />
      </Field>
      <div class="row">
        <Button kind="primary" icon={isCopied.value ? 'check' : 'copy'} onClick={() => void copy()}>
          {isCopied.value ? note.copied : words.copyLink}
        </Button>
      </div>
    </Dialog>
  )
}
