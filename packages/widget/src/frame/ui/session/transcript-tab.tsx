import type { SessionGap, TranscriptItem } from '@casenote/contract'
import { useComputed, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import { formatClock } from '../format.js'
import { explain } from '../load.js'
import { StrikeStretch } from '../off-record/strike-stretch.js'
import { People, Speakers } from '../people/lazy-people.js'
import { Button } from '../parts/button.js'
import { Icon } from '../parts/icon.js'
import { Later } from '../parts/later.js'
import { Notice } from '../parts/notice.js'
import { useTexts, useUi } from '../ui-context.js'
import { CorrectLine } from './correct-line.js'
import { findTaught } from './find-taught.js'
import { KeptPad, MarkedLine, MarkedMoments, placeMarkers, usePad } from './marked-moments.js'
import { PlayerBar } from './player-bar.js'
import { useSession } from '../open-session/session-context.js'
import { SpeakersOffer } from './speakers-offer.js'
import { TaughtOffer } from './taught-offer.js'
import { TranscriptLine } from '../open-session/transcript-line.js'
import { Unread } from '../open-session/unread.js'
import { useRenewal } from './use-renewal.js'
import { withAnswers } from '../open-session/with-answers.js'
import { isChanged } from '../open-session/word-corrections.js'

/** A part of its own: few look through the list. */
const loadWords = () => import('./vocabulary-dialog.js')

/** With the lines marked that were asked for, from the note. */
export function TranscriptTab() {
  const texts = useTexts()
  const { model, session, player, asked } = useSession()
  const isCorrecting = useSignal(false)
  const wasCorrected = useSignal(false)
  const pad = usePad()
  const isTeaching = useSignal(false)
  const taught = useSignal<ReturnType<typeof findTaught>>(null)
  const Naming = (model.transcript.value?.speakers?.length ?? 0) > 2 ? People : Speakers
  useEffect(() => void model.renewTranscript(), [])
  useRenewal(model.renewTranscript)
  const transcript = model.transcript.value
  if (!session.hasTranscript) return <p class="muted">{texts.transcript.notYet}</p>
  if (transcript === null) return <Unread lines={6} />
  const { transcriptItems } = transcript
  const isTyped = session.source === 'typed'
  const marked = placeMarkers(transcriptItems, pad)
  if (transcriptItems.length === 0)
    return (
      <div class="stack">
        <p class="muted">{texts.transcript.none}</p>
        <KeptPad />
      </div>
    )
  return (
    <div class="stack">
      <h2 class="hidden">{texts.tabs.transcript}</h2>
      <div class="row">
        {isTyped ? (
          <p class="muted detail">{texts.transcript.typedLead}</p>
        ) : (
          <>
            {session.source === 'dictated' ? (
              <p class="muted detail">{texts.transcript.dictatedLead}</p>
            ) : session.isTreated ? (
              <Button icon="people" onClick={() => (isCorrecting.value = true)}>
                {texts.transcript.speakers}
              </Button>
            ) : null}
            <Button icon="edit" kind="quiet" onClick={() => (isTeaching.value = true)}>
              {texts.vocabulary.open}
            </Button>
            <StrikeStretch transcript={transcript} />
            {session.hasAudio ? null : <p class="muted detail">{texts.transcript.noAudio}</p>}
          </>
        )}
      </div>
      {wasCorrected.value ? <SpeakersOffer /> : null}
      {player.failure.value === null ? null : (
        <Notice kind="warning" role="alert" title={texts.transcript.playFailed}>
          {explain(player.failure.value, texts)}
        </Notice>
      )}
      {pad === null ? null : <MarkedMoments pad={pad} marked={marked} />}
      {taught.value === null ? null : (
        <TaughtOffer key={taught.value.term} taught={taught.value} onDone={() => (taught.value = null)} />
      )}
      <Lines
        items={transcriptItems}
        gaps={transcript.gaps ?? []}
        asked={asked?.lines ?? []}
        important={marked}
        onTaught={(next) => (taught.value = next)}
      />
      {isTeaching.value ? (
        <Later
          load={loadWords}
          pending={null}
          show={({ VocabularyDialog }) => <VocabularyDialog onClose={() => (isTeaching.value = false)} />}
        />
      ) : null}
      {isCorrecting.value ? (
        <Naming
          transcript={transcript}
          onClose={() => (isCorrecting.value = false)}
          onSaved={() => (wasCorrected.value = true)}
        />
      ) : null}
      {asked === null && !session.hasAudio ? null : (
        <div class="action-bar">
          {session.hasAudio ? <PlayerBar items={transcriptItems} /> : null}
          {asked === null ? null : (
            <Button kind="primary" icon="back" onClick={asked.goBack}>
              {texts.transcript.backToNote}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

interface LinesProps {
  items: readonly TranscriptItem[]
  gaps: readonly SessionGap[]
  asked: readonly number[]
  /** Lines in which the clinician marked a moment, and when. */
  important: ReadonlyMap<number, number[]>
  onTaught: (taught: ReturnType<typeof findTaught>) => void
}

function Lines({ items, gaps, asked, important, onTaught }: LinesProps) {
  const { announce } = useUi()
  const texts = useTexts()
  const { player, model, session } = useSession()
  const { words } = model
  const draft = words.draft.value
  const list = useRef<HTMLOListElement>(null)
  const playing = useComputed(() => findPlaying(items, player.position.value))
  useFollowing(list, playing.value, player.isPlaying.value && draft === null)
  /** After it is rendered: back to the button that opened it. */
  const focusOn = (index: number): void => {
    requestAnimationFrame(() =>
      list.current?.children[index]?.querySelector<HTMLElement>('.correct')?.focus(),
    )
  }
  const cancel = (index: number): void => {
    words.draft.value = null
    focusOn(index)
  }
  const begin = (index: number, before: string): void => {
    // What was typed in another line is not thrown away for it.
    if (draft !== null && isChanged(draft))
      list.current?.querySelector<HTMLElement>('.correct-line textarea')?.focus()
    else words.draft.value = { item: index, before, text: before }
  }
  const save = async (): Promise<void> => {
    if (draft === null) return
    await words.save(draft)
    announce(texts.correction.saved)
    if (items[draft.item]?.source !== 'typed') onTaught(findTaught(draft.before, draft.text.trim()))
    if (words.draft.peek() === null) focusOn(draft.item)
  }
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
          {gaps
            .filter(({ start }) => placeOf(items, start) === index)
            .map((gap) => (
              <GapLine key={gap.id} gap={gap} />
            ))}
          {important.has(index) ? <MarkedLine times={important.get(index) ?? []} /> : null}
          {draft?.item === index ? (
            <CorrectLine
              draft={draft}
              onInput={(text) => (words.draft.value = { ...draft, text })}
              onSave={save}
              onCancel={() => cancel(index)}
            />
          ) : (
            <TranscriptLine
              item={item}
              isPlaying={index === playing.value && player.isPlaying.value}
              was={words.corrected.value.get(index)}
              // Who only co-signs corrects nothing.
              onCorrect={session.isTreated ? () => begin(index, item.transcript) : undefined}
            />
          )}
        </li>
      ))}
      {gaps
        .filter(({ start }) => placeOf(items, start) < 0)
        .map((gap) => (
          <li key={gap.id}>
            <GapLine gap={gap} />
          </li>
        ))}
    </ol>
  )
}

/** The first line behind it; less than nothing: it is the last thing. */
const placeOf = (items: readonly TranscriptItem[], start: number): number =>
  items.findIndex(({ startTime }) => startTime >= start)

function GapLine({ gap }: { gap: SessionGap }) {
  const { offRecord: words } = useTexts()
  const time = formatClock(gap.seconds)
  return (
    <p class="muted detail">
      <Icon name="pause" /> {formatClock(gap.start)} {fill(words[gap.kind], { time })}
    </p>
  )
}

/** What is heard stays in sight, unless somebody types. */
function useFollowing(list: RefObject<HTMLOListElement | null>, playing: number, isOn: boolean): void {
  useLayoutEffect(() => {
    if (isOn && playing >= 0) list.current?.children[playing]?.scrollIntoView({ block: 'center' })
  }, [playing, isOn])
}

/** The last line that has begun: people also want to see a place in a pause. */
const findPlaying = (items: readonly TranscriptItem[], position: number | null): number =>
  position === null ? -1 : items.findLastIndex(({ startTime }) => startTime <= position + 0.05)
