import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import { Button } from '../parts/button.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Failure } from '../parts/failure.js'
import { Choice } from '../parts/field.js'
import { Notice } from '../parts/notice.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'

/** No character, as the key of the marks. */
const offKey = 'F8'

/** Who says that it is to go needs a moment for it, and the sound is a little behind the clock. */
const marginSeconds = 1

const minutesBack = [1, 2, 5, 10] as const

const newGap = (): { id: string; at: string } => ({ id: crypto.randomUUID(), at: new Date().toISOString() })

/** While it records: nothing is kept from now on, or something that was just said goes. */
export function OffRecord({ seconds }: { seconds: number }) {
  const { engine, texts, announce } = useUi()
  const { recorder } = engine
  const words = texts.value.offRecord
  const isOff = recorder.isOffRecord.value
  const isStriking = useSignal(false)
  const task = useTask()
  const latestSeconds = useRef(seconds)
  latestSeconds.current = seconds
  const secondsOf = (): number => latestSeconds.current
  const toggle = (): void => {
    if (recorder.isOffRecord.peek()) {
      task.run(async () => {
        await recorder.resume()
        announce(words.wentOn)
      })
      return
    }
    const gap = { ...newGap(), start: secondsOf(), end: secondsOf(), seconds: null }
    task.run(() => recorder.keepGap(gap))
    announce(words.going)
  }
  const latest = useRef(toggle)
  latest.current = toggle
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.key !== offKey || event.repeat) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
  return (
    <section class="pad" aria-label={words.title}>
      {isOff ? (
        <Notice kind="warning" icon="pause">
          {words.going}
        </Notice>
      ) : null}
      <div class="pad-marks">
        <Button icon={isOff ? 'mic' : 'pause'} isBusy={task.isBusy} onClick={toggle}>
          {isOff ? words.back : words.go} <kbd aria-hidden="true">{offKey}</kbd>
        </Button>
        <Button kind="quiet" onClick={() => (isStriking.value = true)}>
          {words.strikeBack}
        </Button>
      </div>
      <Failure error={task.failure} />
      {isStriking.value ? <StrikeBack seconds={seconds} onClose={() => (isStriking.value = false)} /> : null}
    </section>
  )
}

function StrikeBack({ seconds, onClose }: { seconds: number; onClose: () => void }) {
  const { engine, texts, announce } = useUi()
  const words = texts.value.offRecord
  const minutes = useSignal('1')
  // Counted from when it was asked for: who reads the dialog is being recorded.
  const askedAt = useRef(seconds)
  const strike = async (): Promise<void> => {
    const start = Math.max(0, askedAt.current - Number(minutes.value) * 60 - marginSeconds)
    const end = askedAt.current + marginSeconds
    await engine.recorder.keepGap({ ...newGap(), start, end, seconds: end - start })
    announce(words.struck)
  }
  return (
    <ConfirmDialog
      title={words.strikeBackTitle}
      action={words.confirm}
      icon="close"
      isDanger
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
    </ConfirmDialog>
  )
}
