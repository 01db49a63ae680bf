import type { NoteSection } from '@casenote/contract'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useTexts } from '../ui-context.js'
import { EvidenceLines } from '../session/evidence-lines.js'
import { useSession } from '../session/session-context.js'
import { isExtract } from './note-editor.js'

interface EvidenceCardProps {
  id: string
  evidence: NoteSection['evidence'][number]
  onMouseEnter: () => void
  onMouseLeave: () => void
}

/** Near enough that a pointer gets from the sentence to its card. */
const gapPx = 4

/** Under its sentence, or above it where there is no room, over the text: nothing jumps. */
export function EvidenceCard({ evidence, ...place }: EvidenceCardProps) {
  const { note } = useTexts()
  const { showLine, model } = useSession()
  const card = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = card.current
    const sentence = element?.previousElementSibling
    const box = element?.offsetParent
    if (!element || !sentence || !box) return
    const { top, bottom } = sentence.getBoundingClientRect()
    const height = element.offsetHeight + gapPx
    const isAbove = bottom + height > window.innerHeight && top > height
    const from = isAbove ? top - height : bottom + gapPx
    element.style.top = `${from - box.getBoundingClientRect().top}px`
  }, [evidence])
  const [first] = evidence.transcriptItems
  const byRules = evidence.judgement === 'exact_checks_only'
  const isQuote = first !== undefined && isExtract(model.editor.note.value)
  return (
    <div ref={card} class="evidence-card" {...place}>
      {evidence.judgement === 'refused' ? (
        <p class="unsupported-note">{note.refused[evidence.reason ?? 'no_evidence']}</p>
      ) : null}
      {evidence.judgement === 'clinicians_words' ? <p>{note.ownWords}</p> : null}
      {byRules && !isQuote ? <p>{note.rulesOnly}</p> : null}
      {first === undefined ? null : (
        <>
          <p class="card-title">{byRules && isQuote ? note.quoted : note.evidence}</p>
          <EvidenceLines lines={evidence.transcriptItems} />
          <button type="button" class="link" onClick={() => showLine(first)}>
            {note.showInTranscript}
          </button>
        </>
      )}
    </div>
  )
}
