import type { NoteSection } from '@casenote/contract'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useTexts } from '../ui-context.js'
import { EvidenceLines } from '../session/evidence-lines.js'
import { useSession } from '../session/session-context.js'

interface EvidenceCardProps {
  id: string
  evidence: NoteSection['evidence'][number]
  onPointer: (isOver: boolean) => void
}

/** Near enough that a pointer gets from the sentence to its card. */
const gapPx = 4

/** Under its sentence, or above it where there is no room, over the text: nothing jumps. */
export function EvidenceCard({ id, evidence, onPointer }: EvidenceCardProps) {
  const { note } = useTexts()
  const { showLine } = useSession()
  const card = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = card.current
    const sentence = element?.previousElementSibling
    const box = element?.parentElement
    if (!element || !sentence || !box) return
    const { top, bottom } = sentence.getBoundingClientRect()
    const height = element.offsetHeight + gapPx
    const isAbove = bottom + height > window.innerHeight && top > height
    const from = isAbove ? top - height : bottom + gapPx
    element.style.top = `${from - box.getBoundingClientRect().top}px`
  }, [evidence])
  const [first] = evidence.transcriptItems
  return (
    <div
      ref={card}
      id={id}
      class="evidence-card"
      onMouseEnter={() => onPointer(true)}
      onMouseLeave={() => onPointer(false)}
    >
      {evidence.supported ? null : <p class="unsupported-note">{note.noEvidence}</p>}
      {first === undefined ? null : (
        <>
          <p class="card-title">{note.evidence}</p>
          <EvidenceLines lines={evidence.transcriptItems} />
          <button type="button" class="link" onClick={() => showLine(first)}>
            {note.showInTranscript}
          </button>
        </>
      )}
    </div>
  )
}
