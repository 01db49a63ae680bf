import type { NoteSection } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from '../parts/icon.js'
import { useTexts } from '../ui-context.js'
import { EvidenceCard } from './evidence-card.js'
import { splitEvidence, type EvidencePart, type LinePart } from './split-evidence.js'
import { TextBlocks } from './text-blocks.js'

type Judgement = NoteSection['evidence'][number]['judgement']

/** A pointer on its way elsewhere should not leave a trail of cards. */
const openDelayMs = 120
/** Time to get from a sentence to its card. */
const closeDelayMs = 250

/**
 * A section to be read. Each checked sentence is a button that shows what it rests on, by pointer, focus or touch. They
 * are one stop of the tab key; arrows go from sentence to sentence.
 */
export function EvidenceText({ section }: { section: NoteSection }) {
  const parts = splitEvidence(section.content, section.evidence)
  const box = useRef<HTMLDivElement>(null)
  const open = useSignal<number | null>(null)
  const stop = useSignal(parts.findIndex(({ evidence }) => evidence !== null))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const cardId = useId()
  useEffect(() => () => clearTimeout(timer.current), [])
  const later = (index: number | null): void => {
    clearTimeout(timer.current)
    // What the keyboard or a tap opened, a pointer that leaves does not close.
    if (index === null && box.current?.contains(document.activeElement) === true) return
    timer.current = setTimeout(() => (open.value = index), index === null ? closeDelayMs : openDelayMs)
  }
  const now = (index: number | null): void => {
    clearTimeout(timer.current)
    open.value = index
  }
  const focusSentence = (index: number | null): void => {
    box.current?.querySelector<HTMLElement>(`[data-part="${index ?? -1}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && open.value !== null) {
      event.stopPropagation()
      focusSentence(open.value)
      now(null)
    }
    const next = findNext(parts, stop.value, event.key)
    if (next === null || !(event.target as HTMLElement).matches('.sentence')) return
    event.preventDefault()
    focusSentence(next)
  }
  const showPart = ({ text, evidence, index }: LinePart) => {
    if (evidence === null) return text
    const isOpen = open.value === index
    return (
      <>
        {/* Not a `<button>`: browsers lay those out as blocks, and a sentence must flow. */}
        <span
          role="button"
          tabIndex={index === stop.value ? 0 : -1}
          data-part={index}
          class={`sentence ${evidence.judgement}`}
          aria-expanded={isOpen}
          aria-describedby={isOpen ? cardId : undefined}
          onMouseEnter={() => later(index)}
          onMouseLeave={() => later(null)}
          onFocus={() => {
            stop.value = index
            now(index)
          }}
          onClick={() => now(index)}
        >
          {text}
          <Mark judgement={evidence.judgement} />
        </span>
        {isOpen ? (
          <EvidenceCard
            id={cardId}
            evidence={evidence}
            onMouseEnter={() => now(index)}
            onMouseLeave={() => later(null)}
          />
        ) : null}
      </>
    )
  }
  return (
    <div
      class="prose evidence-text"
      ref={box}
      onKeyDown={onKeyDown}
      onFocusOut={(event) => {
        if (!box.current?.contains(event.relatedTarget as Node | null)) now(null)
      }}
    >
      <TextBlocks parts={parts} show={showPart} />
    </div>
  )
}

/** Only what needs the clinician's eye, and what is theirs. */
function Mark({ judgement }: { judgement: Judgement }) {
  const { note } = useTexts()
  const isRefused = judgement === 'refused'
  if (!isRefused && judgement !== 'clinicians_words') return null
  return (
    <>
      <Icon name={isRefused ? 'warning' : 'edit'} />
      <span class="hidden"> ({isRefused ? note.unsupported : note.ownWords})</span>
    </>
  )
}

function findNext(parts: readonly EvidencePart[], from: number, key: string): number | null {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key]
  if (step === undefined) return null
  for (let index = from + step; index >= 0 && index < parts.length; index += step) {
    if (parts[index]?.evidence !== null) return index
  }
  return null
}
