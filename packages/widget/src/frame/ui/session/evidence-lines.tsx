import { useSession } from './session-context.js'
import { TranscriptLine } from './transcript-line.js'

/** Quoted lines of the transcript, each playable in its place. */
export function EvidenceLines({ lines }: { lines: readonly number[] }) {
  const { model, player } = useSession()
  const items = (model.transcript.value?.transcriptItems ?? []).filter((_, index) => lines.includes(index))
  const position = player.position.value
  return (
    <div class="quoted-lines">
      {items.map((item) => (
        <TranscriptLine
          key={item.startTime}
          item={item}
          isQuoted
          isPlaying={position !== null && item.startTime <= position + 0.05 && position < item.endTime}
        />
      ))}
    </div>
  )
}
