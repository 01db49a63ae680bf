import type { CorrectedItem, TranscriptItem } from '@casenote/contract'
import { fill } from '../../texts/fill.js'
import { formatClock, formatTime } from '../format.js'
import { Button } from '../parts/button.js'
import { Icon } from '../parts/icon.js'
import { recordLanguage } from '../record-language.js'
import { useTexts } from '../ui-context.js'
import { useSession } from './session-context.js'
import { nameVoice } from './speaker-name.js'

interface TranscriptLineProps {
  item: TranscriptItem
  isPlaying: boolean
  /** Out of its place: only this line is played. */
  isQuoted?: boolean
  /** What the recognizer wrote, and who put it right. */
  was?: CorrectedItem | undefined
  onCorrect?: (() => void) | undefined
}

/** One line of the transcript, wherever it is quoted: time (plays from there), speaker, words. */
export function TranscriptLine({ item, isPlaying, isQuoted = false, was, onCorrect }: TranscriptLineProps) {
  const texts = useTexts()
  const { model, player, session } = useSession()
  const time = formatClock(item.startTime)
  const { transcript, correction } = texts
  return (
    <div class="line" data-speaker={item.speaker} data-source={item.source} data-playing={isPlaying}>
      {session.hasAudio ? (
        <button
          type="button"
          class="line-time"
          aria-label={isPlaying ? transcript.stop : fill(transcript.playFrom, { time })}
          onClick={() => {
            if (isPlaying) player.stop()
            else player.play(item.startTime, isQuoted ? item.endTime : undefined)
          }}
        >
          <Icon name={isPlaying ? 'stop' : 'play'} />
          {time}
        </button>
      ) : (
        <span class="line-time">{item.source === 'typed' ? '' : time}</span>
      )}
      <p class="line-text">
        <span class="speaker">
          {item.source === undefined
            ? nameVoice(item, model.transcript.value ?? {}, texts)
            : transcript[item.source]}
        </span>{' '}
        <span lang={session.language ?? recordLanguage}>{item.transcript}</span>
        {item.corrections?.map(({ heard, corrected }) => (
          <span key={heard} class="muted detail">
            {' '}
            ({corrected}: {fill(transcript.corrected, { heard })})
          </span>
        ))}
        {was === undefined ? null : (
          <span class="muted detail was">
            {fill(correction.was, {
              name: was.name,
              date: formatTime(texts.locale, was.at),
              heard: was.original,
            })}
          </span>
        )}
      </p>
      {onCorrect === undefined ? null : (
        <Button
          kind="quiet"
          icon="edit"
          class="correct"
          label={item.source === 'typed' ? correction.correctTyped : fill(correction.correct, { time })}
          onClick={onCorrect}
        />
      )}
    </div>
  )
}
