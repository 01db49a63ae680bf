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

/** Under its sentence, over what follows: nothing jumps. */
export function EvidenceCard({ id, evidence, onPointer }: EvidenceCardProps) {
  const { note } = useTexts()
  const { showLine } = useSession()
  const card = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = card.current
    const sentence = element?.previousElementSibling
    const box = element?.parentElement
    const last = sentence === null ? undefined : [...(sentence?.getClientRects() ?? [])].at(-1)
    if (!element || !box || last === undefined) return
    element.style.top = `${last.bottom - box.getBoundingClientRect().top + 4}px`
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
