import type { HeardDanger, HeardStretch } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Engine } from '../../engine/engine.js'
import { fill } from '../../texts/fill.js'
import type { Texts } from '../../texts/texts.js'
import { formatClock } from '../format.js'
import { Button } from '../parts/button.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Failure } from '../parts/failure.js'
import { Choice } from '../parts/field.js'
import { Notice } from '../parts/notice.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'
import { useKey } from '../use-key.js'
import { NamedDanger } from './named-danger.js'

/** No character, as the key of the marks. */
const offKey = 'F8'

/** Who says that it is to go needs a moment for it, and the sound is a little behind the clock. */
const marginSeconds = 1

const minutesBack = [1, 2, 5, 10] as const

const newGap = (): { id: string; at: string } => ({ id: crypto.randomUUID(), at: new Date().toISOString() })

/** While it records: nothing is kept from now on, or something that was just said goes. */
export function OffRecord({ seconds, sessionId }: { seconds: number; sessionId: string | null }) {
  const { engine, texts, announce } = useUi()
  const { recorder } = engine
  const words = texts.value.offRecord
  const isOff = recorder.isOffRecord.value
  const isStriking = useSignal(false)
  const task = useTask()
  const toggle = (): void => {
    if (recorder.isOffRecord.peek()) {
      task.run(async () => {
        await recorder.resume()
        announce(words.wentOn)
      })
      return
    }
    const gap = { ...newGap(), start: seconds, end: seconds, seconds: null }
    task.run(() => recorder.keepGap(gap))
    announce(words.going)
  }
  useKey(offKey, toggle)
  return (
    <section class="pad" aria-label={words.title}>
      {isOff ? (
        <Notice kind="warning" icon="pause">
          {words.going}
        </Notice>
      ) : null}
      <div class="pad-marks">
        <Button icon={isOff ? 'mic' : 'pause'} isBusy={task.isBusy} onClick={toggle}>
          {isOff ? words.back : words.title} <kbd aria-hidden="true">{offKey}</kbd>
        </Button>
        <Button kind="quiet" onClick={() => (isStriking.value = true)}>
          {words.strikeBack}
        </Button>
      </div>
      <Failure error={task.failure} />
      {isStriking.value ? (
        <StrikeBack seconds={seconds} sessionId={sessionId} onClose={() => (isStriking.value = false)} />
      ) : null}
    </section>
  )
}

interface StrikeBackProps {
  seconds: number
  sessionId: string | null
  onClose: () => void
}

function StrikeBack({ seconds, sessionId, onClose }: StrikeBackProps) {
  const { engine, texts, announce } = useUi()
  const words = texts.value.offRecord
  const minutes = useSignal('1')
  // Counted from when it was asked for: who reads the dialog is being recorded.
  const askedAt = useRef(seconds)
  const start = Math.max(0, askedAt.current - Number(minutes.value) * 60 - marginSeconds)
  const end = askedAt.current + marginSeconds
  const { found, isLooking, isSeen, whenLooked } = useHeardDanger(sessionId, start, end)
  const danger = found.value?.danger ?? []
  const strike = async (): Promise<false | void> => {
    await whenLooked.current
    // It is shown by now, and asked about once more.
    if ((found.peek()?.danger.length ?? 0) > 0 && !isSeen.peek()) return false
    await engine.recorder.keepGap({ ...newGap(), start, end, seconds: end - start })
    announce(words.struck)
  }
  return (
    <ConfirmDialog
      title={words.strikeBackTitle}
      action={words.confirm}
      icon="close"
      isDanger
      isDisabled={danger.length > 0 && !isSeen.value}
      work={strike}
      onClose={onClose}
    >
      <Choice
        label={words.howFar}
        value={minutes.value}
        choices={minutesBack.map((count) => ({
          value: String(count),
          title: fill(words.minutes, { count }),
        }))}
        onChange={(value) => (minutes.value = value)}
      />
      <p>{words.strikeBackBody}</p>
      <p role="status">{tellLooked(isLooking.value, found.value, end, words)}</p>
      <NamedDanger danger={danger} isSeen={isSeen} />
    </ConfirmDialog>
  )
}

function tellLooked(
  isLooking: boolean,
  found: HeardDanger | null,
  end: number,
  words: Texts['offRecord'],
): string | null {
  if (isLooking) return null
  const { lookedTo = null, readTo = null } = found ?? {}
  if (lookedTo === null) return words.notLooked
  const told = lookedTo < end ? [fill(words.lookedTo, { time: formatClock(lookedTo) })] : []
  if (readTo === null) told.push(words.notRead)
  else if (readTo < Math.min(lookedTo, end)) told.push(fill(words.readTo, { time: formatClock(readTo) }))
  return told.length === 0 ? null : told.join(' ')
}

/** Who strikes something does it in the room: nobody waits longer for a look at it. */
const lookMs = 2_000

/** What was said about danger in it, looked at again as long as more of it is being heard. */
function useHeardDanger(sessionId: string | null, start: number, end: number) {
  const { engine } = useUi()
  const found = useSignal<HeardDanger | null>(null)
  const isLooking = useSignal(true)
  const isSeen = useSignal(false)
  const whenLooked = useRef<Promise<void>>(Promise.resolve())
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      const answer = await lookAt(engine, sessionId, { start, end })
      if (isOver) return
      if (answer !== null) {
        const known = new Set(found.peek()?.danger.map(toKey))
        if (answer.danger.some((one) => !known.has(toKey(one)))) isSeen.value = false
        found.value = answer
      }
      isLooking.value = false
      if (sessionId !== null && knownTo(found.peek()) < end) timer = setTimeout(() => void ask(), lookMs)
    }
    found.value = null
    isLooking.value = true
    whenLooked.current = ask()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [sessionId, start, end])
  return { found, isLooking, isSeen, whenLooked }
}

/** By both who look. */
const knownTo = (found: HeardDanger | null): number => Math.min(found?.lookedTo ?? 0, found?.readTo ?? 0)

const toKey = ({ label, words }: HeardDanger['danger'][number]): string => `${label} ${words}`

/** Null: nothing was learned in time. */
const lookAt = (
  engine: Engine,
  sessionId: string | null,
  stretch: HeardStretch,
): Promise<HeardDanger | null> =>
  sessionId === null
    ? Promise.resolve(null)
    : Promise.race([
        engine.api
          .send<HeardDanger>('POST', `/sessions/${sessionId}/heard-danger`, stretch)
          // Without a connection it is struck as ever, and the clinician is told that nobody looked.
          .catch(() => null),
        new Promise<null>((resolve) => setTimeout(() => resolve(null), lookMs)),
      ])
