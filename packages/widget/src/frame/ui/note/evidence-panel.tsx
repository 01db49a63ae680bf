import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { useTexts } from '../ui-context.js'
import { EvidenceLines } from '../open-session/evidence-lines.js'
import { useSession, type ChosenSentence } from '../open-session/session-context.js'
import { isExtract } from '../open-session/note-editor.js'

/** Named by the sentences, which stand elsewhere. */
export const panelId = 'evidence-panel'

/** The selector of a sentence that is shown, wherever it is needed. */
export const toSelector = ({ key, index }: ChosenSentence): string =>
  `.note-section[data-key="${key}"] [data-part="${index}"]`

const focusSentence = (chosen: ChosenSentence): void =>
  document.querySelector<HTMLElement>(toSelector(chosen))?.focus()

/** What the chosen sentence rests on. Beside the text where there is room, else a sheet below it: never over what is read. */
export function EvidencePanel({ isBeside }: { isBeside: boolean }) {
  const { note, general } = useTexts()
  const { chosen } = useSession()
  const one = chosen.value
  const panel = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const sentence = one === null || isBeside ? null : document.querySelector(toSelector(one))
    if (sentence === null || panel.current === null) return
    const hidden = sentence.getBoundingClientRect().bottom + 8 - panel.current.getBoundingClientRect().top
    if (hidden > 0) scrollBy(0, hidden)
  }, [one, isBeside])
  if (one === null && !isBeside) return null
  const close = (): void => {
    if (one !== null) focusSentence(one)
    chosen.value = null
  }
  return (
    <section
      ref={panel}
      id={panelId}
      class={`evidence-panel ${isBeside ? 'beside' : 'sheet'}`}
      aria-label={note.evidencePanel}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || one === null) return
        event.stopPropagation()
        close()
      }}
    >
      {one === null ? (
        <p class="muted detail">{note.evidenceHint}</p>
      ) : (
        <>
          <div class="panel-head">
            <p class="grow chosen-sentence">{one.evidence.sentence}</p>
            <Button kind="quiet" icon="close" label={general.close} onClick={close} />
          </div>
          <Grounds chosen={one} />
        </>
      )}
    </section>
  )
}

function Grounds({ chosen }: { chosen: ChosenSentence }) {
  const { note } = useTexts()
  const { showLines, model } = useSession()
  const { judgement, reason, transcriptItems } = chosen.evidence
  const hasLines = transcriptItems.length > 0
  const byRules = judgement === 'exact_checks_only'
  const isQuote = hasLines && isExtract(model.editor.note.value)
  return (
    <>
      {judgement === 'refused' ? (
        <p class="unsupported-note">{note.refused[reason ?? 'no_evidence']}</p>
      ) : null}
      {judgement === 'clinicians_words' ? (
        <p>
          <strong>{note.ownWords}.</strong> {note.ownWordsLead}
        </p>
      ) : null}
      {byRules && !isQuote ? <p>{note.rulesOnly}</p> : null}
      {hasLines ? (
        <>
          <p class="card-title">{byRules && isQuote ? note.quoted : note.evidence}</p>
          <EvidenceLines lines={transcriptItems} />
          <button type="button" class="link" onClick={() => showLines(transcriptItems, toSelector(chosen))}>
            {note.showInTranscript}
          </button>
        </>
      ) : null}
    </>
  )
}
