import type { StruckStretch, Transcript, WidgetSession } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { fill, fillCount } from '../../texts/fill.js'
import { formatClock } from '../format.js'
import { Button } from '../parts/button.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Choice } from '../parts/field.js'
import { recordLanguage } from '../record-language.js'
import { useSession } from '../open-session/session-context.js'
import { useUi } from '../ui-context.js'
import { NamedDanger } from './named-danger.js'

/** What was tried again, or put under another client, is struck there. */
const isOver = ({ status, triedAgainAs, correctedBy }: WidgetSession): boolean =>
  status === 'completed' || (status === 'failed' && triedAgainAs === null && correctedBy === null)

/** Afterwards: from one line of the transcript to another, of a note that is not signed. */
export function StrikeStretch({ transcript }: { transcript: Transcript }) {
  const { texts, engine } = useUi()
  const { session } = useSession()
  const isOpen = useSignal(false)
  const { auth } = engine
  const items = transcript.transcriptItems
  const { note, isTreated, source } = session
  const isOwn = auth.value.state === 'signedIn' && auth.value.clinician.id === session.clinicianId
  if (!isOwn || !isTreated || source === 'typed' || items.length === 0) return null
  if (note.status === 'finalized' || note.awaited !== null || !isOver(session)) return null
  return (
    <>
      <Button kind="quiet" isDisabled={note.isLoading} onClick={() => (isOpen.value = true)}>
        {texts.value.offRecord.strike}
      </Button>
      {isOpen.value ? <StretchDialog items={items} onClose={() => (isOpen.value = false)} /> : null}
    </>
  )
}

interface DialogProps {
  items: Transcript['transcriptItems']
  onClose: () => void
}

function StretchDialog({ items, onClose }: DialogProps) {
  const { model, session } = useSession()
  const { engine, texts, announce } = useUi()
  const words = texts.value.offRecord
  const from = useSignal(0)
  const to = useSignal(0)
  const found = useSignal<StruckStretch | null>(null)
  const isSeen = useSignal(false)
  const last = Math.max(from.value, to.value)
  const stretch = { start: items[from.value]?.startTime ?? 0, end: items[last]?.endTime ?? 0 }
  const ask = (body: object): Promise<StruckStretch> =>
    engine.api.send('POST', `${model.path}/strike`, { ...stretch, ...body })
  const work = async (): Promise<false | void> => {
    if (found.value === null) {
      found.value = await ask({ preview: true })
      return false
    }
    await ask({ dangerSeen: found.value.danger.length > 0 })
    announce(words.struck)
    await model.renewTranscript()
  }
  const choices = items.map(({ startTime, transcript }, index) => ({
    value: String(index),
    title: `${formatClock(startTime)} ${transcript.slice(0, 60)}`,
  }))
  const choose = (of: typeof from) => (value: string) => {
    of.value = Number(value)
    found.value = null
    isSeen.value = false
  }
  const danger = found.value?.danger ?? []
  return (
    <ConfirmDialog
      title={words.strike}
      action={found.value === null ? words.look : words.confirm}
      icon={found.value === null ? 'check' : 'close'}
      isDanger={found.value !== null}
      isDisabled={danger.length > 0 && !isSeen.value}
      work={work}
      onClose={onClose}
    >
      <Choice label={words.from} value={String(from.value)} choices={choices} onChange={choose(from)} />
      <Choice
        label={words.to}
        value={String(last)}
        choices={choices.slice(from.value)}
        onChange={choose(to)}
      />
      {found.value === null ? null : (
        <p role="status">
          {fillCount(texts.value, words.goes, found.value.lines, {
            from: formatClock(found.value.start),
            to: formatClock(found.value.end),
          })}
          {found.value.linkedSessions === 0
            ? null
            : ` ${fill(words.goesLinked, { count: found.value.linkedSessions })}`}
        </p>
      )}
      {found.value === null || (session.language ?? recordLanguage) === recordLanguage ? null : (
        <p>{words.unread}</p>
      )}
      <NamedDanger danger={danger} isSeen={isSeen} />
    </ConfirmDialog>
  )
}
