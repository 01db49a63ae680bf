import type { LiveLine, LiveLines as LiveAnswer, LiveState } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { formatClock } from '../format.js'
import { Button } from '../parts/button.js'
import type { Texts } from '../../texts/texts.js'
import { useUi } from '../ui-context.js'
import { keepShown, readShown } from './shown-choice.js'
import { makeKeeper } from './struck-lines.js'

/** The service has something new every few seconds. */
const askEveryMs = 2_000

/** Half an hour of talk: what is older stands in the transcript. */
const linesMost = 300

/** So near to the end somebody follows it. */
const nearPixels = 40

/** What is heard of the recording that runs. Hidden, nothing of it is asked for: the client may see the screen. */
export function LiveLines({ sessionId }: { sessionId: string }) {
  const { live: words } = useUi().texts.value
  const isShown = useSignal(readShown())
  const toggle = (): void => {
    isShown.value = !isShown.value
    keepShown(isShown.value)
  }
  return (
    <section class="pad" aria-label={words.title}>
      <div class="pad-marks">
        <Button kind="quiet" onClick={toggle}>
          {isShown.value ? words.hide : words.show}
        </Button>
      </div>
      {isShown.value ? <Lines key={sessionId} sessionId={sessionId} /> : null}
    </section>
  )
}

function Lines({ sessionId }: { sessionId: string }) {
  const { engine, texts } = useUi()
  const { live: words } = texts.value
  const lines = useSignal<LiveLine[]>([])
  const draft = useSignal<LiveLine[]>([])
  const state = useSignal<LiveState>('live')
  useEffect(() => {
    let isOver = false
    let after = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      let hasMore = false
      try {
        const path = `/sessions/${sessionId}/live-lines?after=${after}`
        const answer = await engine.api.get<LiveAnswer>(path)
        if (isOver) return
        ;({ after, hasMore } = answer)
        if (answer.lines.length > 0) lines.value = [...lines.value, ...answer.lines].slice(-linesMost)
        const settledTo = lines.value.at(-1)?.startTime ?? -1
        draft.value = answer.draft.filter(({ startTime }) => startTime > settledTo)
        state.value = answer.state
        if (answer.state === 'ended' || answer.state === 'unavailable') return
      } catch {
        // What is shown stays; it is asked for again.
      }
      if (!isOver) timer = setTimeout(() => void ask(), hasMore ? 0 : askEveryMs)
    }
    void ask()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [sessionId])
  const struck = engine.recorder.struck.value
  const isKept = makeKeeper([...lines.value, ...draft.value], struck)
  const [settled, unsettled] = [lines.value.filter(isKept), draft.value.filter(isKept)]
  const count = settled.length + unsettled.length
  const told = tell(state.value, count, words)
  return (
    <>
      {told === null ? null : (
        <p class="muted detail" role="status">
          {told}
        </p>
      )}
      {count === 0 ? null : <Scrolled lines={settled} draft={unsettled} />}
    </>
  )
}

function Scrolled({ lines, draft }: { lines: readonly LiveLine[]; draft: readonly LiveLine[] }) {
  const { live: words } = useUi().texts.value
  const box = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  useLayoutEffect(() => {
    const { current } = box
    if (current !== null && isFollowing.current) current.scrollTop = current.scrollHeight
  }, [lines, draft])
  const follow = (): void => {
    const { current } = box
    if (current === null) return
    isFollowing.current = current.scrollHeight - current.scrollTop - current.clientHeight < nearPixels
  }
  return (
    <div
      ref={box}
      // It scrolls, so keys must reach it.
      tabIndex={0}
      role="group"
      aria-label={words.title}
      style={{ maxHeight: '14rem', overflowY: 'auto' }}
      onScroll={follow}
    >
      {lines.map((line, index) => (
        <Line key={keyOf(line, index)} line={line} />
      ))}
      {draft.map((line, index) => (
        <Line key={keyOf(line, index)} line={line} note={words.draft} />
      ))}
    </div>
  )
}

/** Two who speak at once may begin at the same moment. */
const keyOf = ({ startTime }: LiveLine, index: number): string => `${startTime}/${index}`

const Line = ({ line, note }: { line: LiveLine; note?: string }) => (
  <div class="line" data-draft={note !== undefined}>
    <span class="line-time">{formatClock(line.startTime)}</span>
    <p class={note === undefined ? 'line-text' : 'line-text muted'}>
      {note === undefined ? (
        line.text
      ) : (
        <>
          <i>{line.text}</i> <small>({note})</small>
        </>
      )}
    </p>
  </div>
)

function tell(state: LiveState, count: number, words: Texts['live']): string | null {
  if (state === 'live') return count === 0 ? words.none : null
  return state === 'ended' ? null : words.state[state]
}
