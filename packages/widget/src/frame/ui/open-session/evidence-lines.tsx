import { useSession } from './session-context.js'
import { TranscriptLine } from './transcript-line.js'
import { withAnswers } from './with-answers.js'

/** Quoted lines of the transcript, each playable in its place. */
export function EvidenceLines({ lines }: { lines: readonly number[] }) {
  const { model, player } = useSession()
  const all = model.transcript.value?.transcriptItems ?? []
  const shown = withAnswers(all, lines)
  const { corrected } = model.words
  const position = player.position.value
  return (
    <div class="quoted-lines">
      {all.map((item, index) =>
        shown.includes(index) ? (
          <TranscriptLine
            key={index}
            item={item}
            isQuoted
            isPlaying={position !== null && item.startTime <= position + 0.05 && position < item.endTime}
            was={corrected.value.get(index)}
          />
        ) : null,
      )}
    </div>
  )
}
