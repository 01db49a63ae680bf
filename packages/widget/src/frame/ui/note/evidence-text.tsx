import type { NoteSection } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from '../parts/icon.js'
import { isExtract } from '../open-session/note-editor.js'
import { useSession } from '../open-session/session-context.js'
import { recordLanguage } from '../record-language.js'
import type { Texts } from '../../texts/texts.js'
import { useTexts } from '../ui-context.js'
import { panelId } from './evidence-panel.js'
import { splitEvidence, type EvidencePart, type LinePart } from './split-evidence.js'
import { TextBlocks } from './text-blocks.js'

type Evidence = NoteSection['evidence'][number]

interface EvidenceTextProps {
  section: NoteSection
  /** What a sentence rests on is shown beside the text: already when it has the focus. */
  isBeside: boolean
}

/**
 * A section to be read. Each checked sentence is a button that shows what it rests on. They are one stop of the tab key;
 * arrows go from sentence to sentence, Enter leads to what it rests on and Escape back.
 */
export function EvidenceText({ section, isBeside }: EvidenceTextProps) {
  const { chosen } = useSession()
  const parts = splitEvidence(section.content, section.evidence)
  const box = useRef<HTMLDivElement>(null)
  const stop = useSignal(parts.findIndex(({ evidence }) => evidence !== null))
  const { key } = section
  useEffect(
    () => () => {
      if (chosen.peek()?.key === key) chosen.value = null
    },
    [],
  )
  const choose = (index: number): void => {
    const evidence = parts[index]?.evidence
    if (evidence) chosen.value = { key, index, evidence }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target as HTMLElement).matches('.sentence') || event.ctrlKey || event.metaKey) return
    const next = findNext(parts, stop.value, event.key)
    if (next !== null) box.current?.querySelector<HTMLElement>(`[data-part="${next}"]`)?.focus()
    else if (event.key === 'Escape' && chosen.value !== null) chosen.value = null
    else if (event.key === 'Enter' || event.key === ' ') {
      choose(stop.value)
      // Where it is a sheet, it is there with the next frame.
      requestAnimationFrame(() => document.getElementById(panelId)?.focus())
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const showPart = ({ text, evidence, index }: LinePart) => {
    if (evidence === null) return text
    const isOpen = chosen.value?.key === key && chosen.value.index === index
    return (
      // Not a `<button>`: browsers lay those out as blocks, and a sentence must flow.
      <span
        role="button"
        tabIndex={index === stop.value ? 0 : -1}
        data-part={index}
        class={`sentence ${evidence.judgement}`}
        aria-expanded={isOpen}
        aria-describedby={isOpen ? panelId : undefined}
        onFocus={() => {
          stop.value = index
          if (isBeside || chosen.peek() !== null) choose(index)
        }}
        onClick={() => choose(index)}
      >
        <MarkedText text={text} judgement={evidence.judgement} />
      </span>
    )
  }
  return (
    <div class="prose evidence-text" lang={recordLanguage} ref={box} onKeyDown={onKeyDown}>
      <TextBlocks parts={parts} show={showPart} />
    </div>
  )
}

const marksOf = (note: Texts['note']): Record<Evidence['judgement'], [icon: IconName, said?: string]> => ({
  verified: ['quote'],
  exact_checks_only: ['rule', note.rulesOnlyMark],
  refused: ['warning', note.unsupported],
  clinicians_words: ['edit', note.ownWords],
})

/**
 * With a mark that is seen at rest, by its shape; said only where the sentence needs the clinician's eye, or is theirs. Of an extract
 * each is a quote.
 */
function MarkedText({ text, judgement }: { text: string; judgement: Evidence['judgement'] }) {
  const { note } = useTexts()
  const { model } = useSession()
  const isQuote = judgement === 'exact_checks_only' && isExtract(model.editor.note.value)
  const [icon, said] = marksOf(note)[isQuote ? 'verified' : judgement]
  const lastWordAt = text.lastIndexOf(' ') + 1
  return (
    <>
      {text.slice(0, lastWordAt)}
      <span class="last-word">
        {text.slice(lastWordAt)}
        <Icon name={icon} />
      </span>
      {said === undefined ? null : <span class="hidden"> ({said})</span>}
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
