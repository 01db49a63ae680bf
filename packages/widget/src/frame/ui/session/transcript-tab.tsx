import type { TranscriptItem } from '@casenote/contract'
import { useComputed, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { explain } from '../load.js'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { Pending } from '../parts/pending.js'
import { useTexts } from '../ui-context.js'
import { MarkedLine, MarkedMoments, placeMarkers, usePad } from './marked-moments.js'
import { useSession } from './session-context.js'
import { SpeakersDialog } from './speakers-dialog.js'
import { SpeakersOffer } from './speakers-offer.js'
import { TranscriptLine } from './transcript-line.js'
import { withAnswers } from './with-answers.js'

/** With the lines marked that were asked for, from the note. */
export function TranscriptTab() {
  const texts = useTexts()
  const { model, session, player, asked } = useSession()
  const isCorrecting = useSignal(false)
  const wasCorrected = useSignal(false)
  const pad = usePad()
  const transcript = model.transcript.value
  if (!session.hasTranscript) return <p class="muted">{texts.transcript.notYet}</p>
  if (transcript === null) return <Pending lines={6} />
  const { transcriptItems } = transcript
  const marked = placeMarkers(transcriptItems, pad)
  if (transcriptItems.length === 0) return <p class="muted">{texts.transcript.none}</p>
  return (
    <div class="stack">
      <h2 class="hidden">{texts.tabs.transcript}</h2>
      <div class="row">
        <Button icon="people" onClick={() => (isCorrecting.value = true)}>
          {texts.transcript.speakers}
        </Button>
        {session.hasAudio ? null : <p class="muted detail">{texts.transcript.noAudio}</p>}
      </div>
      {wasCorrected.value ? <SpeakersOffer /> : null}
      {player.failure.value === null ? null : (
        <Notice kind="warning" role="alert" title={texts.transcript.playFailed}>
          {explain(player.failure.value, texts)}
        </Notice>
      )}
      {pad === null ? null : <MarkedMoments pad={pad} marked={marked} />}
      <Lines items={transcriptItems} asked={asked?.lines ?? []} important={marked} />
      {isCorrecting.value ? (
        <SpeakersDialog
          transcript={transcript}
          onClose={() => (isCorrecting.value = false)}
          onSaved={() => (wasCorrected.value = true)}
        />
      ) : null}
      {asked === null ? null : (
        <div class="action-bar">
          <Button kind="primary" icon="back" onClick={asked.goBack}>
            {texts.transcript.backToNote}
          </Button>
        </div>
      )}
    </div>
  )
}

interface LinesProps {
  items: readonly TranscriptItem[]
  asked: readonly number[]
  /** Lines in which the clinician marked a moment, and when. */
  important: ReadonlyMap<number, number>
}

function Lines({ items, asked, important }: LinesProps) {
  const { player } = useSession()
  const list = useRef<HTMLOListElement>(null)
  const playing = useComputed(() => findPlaying(items, player.position.value))
  const marked = withAnswers(items, asked)
  const [first] = marked
  useLayoutEffect(() => {
    const wanted = first === undefined ? undefined : list.current?.children[first]
    wanted?.scrollIntoView({ block: 'center' })
    wanted?.querySelector('button')?.focus({ preventScroll: true })
  }, [first])
  return (
    <ol class="lines" ref={list}>
      {items.map((item, index) => (
        <li
          key={index}
          class={marked.includes(index) ? 'asked-for' : undefined}
          aria-current={index === playing.value ? 'true' : undefined}
        >
          {important.has(index) ? <MarkedLine atSeconds={important.get(index) ?? 0} /> : null}
          <TranscriptLine item={item} isPlaying={index === playing.value} />
        </li>
      ))}
    </ol>
  )
}

/** The last line that has begun: people also want to see a place in a pause. */
const findPlaying = (items: readonly TranscriptItem[], position: number | null): number =>
  position === null ? -1 : items.findLastIndex(({ startTime }) => startTime <= position + 0.05)
