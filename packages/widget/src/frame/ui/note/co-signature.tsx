import type { ProgressNote } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import type { Texts } from '../../texts/texts.js'
import { formatTime } from '../format.js'
import { Button } from '../parts/button.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Field } from '../parts/field.js'
import { Notice } from '../parts/notice.js'
import { useSession } from '../open-session/session-context.js'
import { stayPut } from '../stay-put.js'
import { useUi } from '../ui-context.js'

/** What the service takes. */
const reasonLengthMax = 500

/** Whose signature a note waits for, and why it came back. Nothing where nobody co-signs. */
export function CoSignatureNotice({ note }: { note: ProgressNote }) {
  const { texts } = useUi()
  const { coSign: words, locale } = texts.value
  const awaited = wordAwaited(texts.value, note)
  if (awaited !== null) {
    const { name = '', active = true } = note.coSignature?.supervisor ?? {}
    return (
      <Notice kind={active ? 'info' : 'warning'} icon="lock" role="status" isFocusable>
        {awaited} {active ? null : fill(words.inactive, { name })}
      </Notice>
    )
  }
  const returned = note.coSignature?.returned ?? null
  if (returned === null) return null
  const title = fill(words.returnedTitle, { name: returned.by.name, date: formatTime(locale, returned.at) })
  return (
    <Notice kind="warning" title={title} role="status">
      <p class="prose">{returned.reason}</p>
    </Notice>
  )
}

/** On the screen and on paper. Null where nothing waits. */
export function wordAwaited({ coSign, note: words, locale }: Texts, note: ProgressNote): string | null {
  const { signedBy, coSignature } = note
  if (coSignature?.state !== 'awaited' || signedBy === null) return null
  return fill(coSignature.supervisor === null ? coSign.nobody : coSign.awaited, {
    signer: signedBy.name ?? words.recordSystem,
    date: formatTime(locale, signedBy.at),
    name: coSignature.supervisor?.name ?? '',
  })
}

/** What the clinician may do with a note that waits; null where none does. */
export interface CoSigning {
  canSign: boolean
  canReturn: boolean
  isSupervisor: boolean
}

export function useCoSigning(): CoSigning | null {
  const { getClinician } = useUi()
  const note = useSession().model.editor.note.value
  if (note?.coSignature?.state !== 'awaited' || note.signedBy === null) return null
  const { signedBy, coSignature } = note
  const me = getClinician()?.id
  const isSupervisor = me === coSignature.supervisor?.id
  const isSigner = me === signedBy.id
  return {
    isSupervisor,
    canSign: isSupervisor || (isSigner && coSignature.supervisor === null),
    canReturn: isSupervisor || isSigner,
  }
}

/** In the bar, in the place of signing. */
export function CoSigningButtons({ part, onSign }: { part: CoSigning; onSign: () => void }) {
  const { coSign: words, note } = useUi().texts.value
  const isReturning = useSignal(false)
  return (
    <>
      {part.canReturn ? (
        <Button icon="back" onClick={() => (isReturning.value = true)}>
          {part.isSupervisor ? words.return : words.takeBack}
        </Button>
      ) : null}
      {part.canSign ? (
        <Button kind="primary" icon="lock" keys="Control+Enter Meta+Enter" onClick={onSign}>
          {part.isSupervisor ? words.sign : note.finalize}
        </Button>
      ) : null}
      {isReturning.value ? <ReturnDialog part={part} onClose={() => (isReturning.value = false)} /> : null}
    </>
  )
}

function ReturnDialog({ part: { isSupervisor }, onClose }: { part: CoSigning; onClose: () => void }) {
  const ui = useUi()
  const { engine, texts, announce } = ui
  const { model, session } = useSession()
  const { coSign: words } = texts.value
  const id = useId()
  const reason = useSignal('')
  const giveBack = async (): Promise<void> => {
    const goOn = stayPut(ui)
    await engine.api.send('POST', `${model.path}/progress-note/return`, { reason: reason.value })
    announce(words.returned)
    // A supervisor who does not treat the client has nothing more to read here.
    if (session.isTreated) await model.editor.refresh()
    else goOn({ name: 'home' })
  }
  const name = model.editor.note.value?.signedBy?.name ?? ''
  return (
    <ConfirmDialog
      title={isSupervisor ? words.returnTitle : words.takeBackTitle}
      action={isSupervisor ? words.return : words.takeBack}
      icon="back"
      isDisabled={reason.value.trim() === ''}
      work={giveBack}
      onClose={onClose}
    >
      <Field label={isSupervisor ? fill(words.reason, { name }) : words.ownReason} id={id}>
        <textarea
          id={id}
          rows={3}
          required
          autofocus
          maxLength={reasonLengthMax}
          value={reason.value}
          onInput={(event) => (reason.value = event.currentTarget.value)}
        />
      </Field>
      <p class="muted detail">{words.returnLead}</p>
    </ConfirmDialog>
  )
}

interface SigningWords {
  /** By what is said here somebody else signs after this. */
  expectsCoSignature: boolean
  title: string
  confirm: string
  points: string[]
  done: string
}

/** What signing does: for most everything, under supervision the first half of it. */
export function useSigningWords(): SigningWords {
  const { texts, getClinician } = useUi()
  const { finalize, coSign } = texts.value
  const coSigning = useCoSigning()
  const supervisor = getClinician()?.supervisor ?? null
  const { title, confirm, points, finalized } = finalize
  if (coSigning?.isSupervisor === true)
    return {
      expectsCoSignature: false,
      points,
      title: coSign.title,
      confirm: coSign.confirm,
      done: coSign.done,
    }
  if (coSigning !== null || supervisor === null)
    return { expectsCoSignature: false, title, confirm, points, done: finalized }
  const { name, isActive } = supervisor
  return {
    expectsCoSignature: true,
    title,
    confirm,
    points: [
      fill(coSign.asked, { name }),
      coSign.locked,
      ...(isActive ? [] : [fill(coSign.inactive, { name })]),
    ],
    done: fill(coSign.signed, { name }),
  }
}
