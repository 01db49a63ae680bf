import type { StruckStretch, Transcript, WidgetSession } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { fill, fillCount } from '../../texts/fill.js'
import { formatClock } from '../format.js'
import { Button } from '../parts/button.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Choice } from '../parts/field.js'
import { recordLanguage } from '../record-language.js'
import { useSession } from '../open-session/session-context.js'
import { useUi } from '../ui-context.js'
import { NamedDanger } from './named-danger.js'

/** What was tried again, or put under another client, is struck where its words are. */
const isOver = ({ status, hasWordsOfTries }: WidgetSession): boolean =>
  status === 'completed' || hasWordsOfTries

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
  // By their times, which stay: the places of lines change with what is struck, here or elsewhere.
  const from = useSignal(0)
  const to = useSignal(0)
  /** What was previewed, or is: nothing else is struck. */
  const asked = useRef<object | null>(null)
  const found = useSignal<StruckStretch | null>(null)
  const isSeen = useSignal(false)
  const findLine = (time: number): number => items.findIndex(({ startTime }) => startTime >= time)
  const first = Math.max(0, findLine(from.value))
  const last = Math.max(first, findLine(to.value))
  const ask = (body: object): Promise<StruckStretch> =>
    engine.api.send('POST', `${model.path}/strike`, { ...asked.current, ...body })
  const lookAgain = (): void => {
    asked.current = null
    found.value = null
    isSeen.value = false
  }
  useEffect(lookAgain, [items.map(({ startTime }) => startTime).join()])
  const work = async (): Promise<false | void> => {
    if (found.value === null) {
      const stretch = { start: items[first]?.startTime ?? 0, end: items[last]?.endTime ?? 0 }
      asked.current = stretch
      const preview = await ask({ preview: true })
      // Unless another one was chosen meanwhile.
      if (asked.current === stretch) found.value = preview
      return false
    }
    try {
      await ask({ dangerSeen: found.value.danger.length > 0 })
    } catch (error) {
      // It may be done all the same.
      lookAgain()
      void model.renewTranscript()
      throw error
    }
    announce(words.struck)
    await model.renewTranscript()
  }
  const choices = items.map(({ startTime, transcript }, index) => ({
    value: String(index),
    title: `${formatClock(startTime)} ${transcript.slice(0, 60)}`,
  }))
  const choose = (of: typeof from) => (value: string) => {
    of.value = items[Number(value)]?.startTime ?? 0
    lookAgain()
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
      <Choice label={words.from} value={String(first)} choices={choices} onChange={choose(from)} />
      <Choice label={words.to} value={String(last)} choices={choices.slice(first)} onChange={choose(to)} />
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
