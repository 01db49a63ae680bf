import type { CheckFinding, NoteSection, SigningCheck, SigningChecks } from '@casenote/contract'
import type { ReadonlySignal, Signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { fill, fillCount } from '../../texts/fill.js'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Notice } from '../parts/notice.js'
import { Pending } from '../parts/pending.js'
import { recordLanguage } from '../record-language.js'
import { useTexts, useUi } from '../ui-context.js'
import { CorrectService } from './correct-service.js'
import { openSection } from './open-section.js'

/** Handed in, and not asked for: what is shared with the session's screen would have to be a file of its own. */
export interface CheckedNote {
  path: string
  /** With what is not saved yet. */
  sections: ReadonlySignal<NoteSection[]>
  /** Nobody edits it any more: what is found can be looked at, and not mended. */
  isLocked: boolean
  /** Another one: what is found has to be asked for again. */
  revision: string
  /** Words that stand above already. */
  shownWords: readonly string[]
  save: () => Promise<void>
  edit: (key: string, content: string) => void
  showLines: (lines: readonly number[], from: string) => void
  /** Of what is billed; null: only the session's clinician corrects it. */
  servicePath: string | null
}

interface SigningCheckListProps {
  note: CheckedNote
  /** What was found, for who decides whether it may be signed. */
  found: Signal<SigningChecks | null>
  /** To the place of something that was found. */
  onLeave: () => void
}

/** As many as are mended one by one; of danger all are shown. */
const shownMax = 5

/** What the checks before signing found, each with its place and a way to mend it. */
export function SigningCheckList({ note, found, onLeave }: SigningCheckListProps) {
  const { engine } = useUi()
  const { checks: words } = useTexts()
  const list = useRef<HTMLDivElement>(null)
  const loaded = useLoad(async () => {
    // Of the text that will be signed. One that cannot be saved is told of by the signing.
    await note.save().catch(() => {})
    return engine.api.get<SigningChecks>(`${note.path}/checks`)
  }, [note.revision])
  const result = loaded.result.value
  // Before anybody sees it: the signing shows by itself what the checks have not looked at yet.
  useLayoutEffect(() => {
    found.value = result.state === 'loaded' ? result.value : null
  }, [result])
  // What had the focus goes with the list.
  const lookAgain = (): void => {
    list.current?.focus()
    loaded.again()
  }
  return (
    <div class="stack" tabIndex={-1} ref={list}>
      {result.state === 'loading' ? <Pending lines={1} /> : null}
      {result.state === 'failed' ? <Failure error={result.error} onRetry={loaded.again} /> : null}
      {result.state === 'loaded' && result.value.blocksWidget ? (
        <Notice kind="danger" role="alert">
          {words.blocked}
        </Notice>
      ) : null}
      {result.state === 'loaded'
        ? result.value.checks
            .filter(({ state }) => state === 'failed')
            .map((check) => (
              <FailedCheck
                key={check.code}
                check={check}
                note={note}
                onLeave={onLeave}
                onCorrected={lookAgain}
              />
            ))
        : null}
    </div>
  )
}

type EntryProps = Pick<SigningCheckListProps, 'note' | 'onLeave'>

interface FailedCheckProps extends EntryProps {
  check: SigningCheck
  /** What the checks look at has changed, beside the note. */
  onCorrected: () => void
}

function FailedCheck({ check, onCorrected, ...rest }: FailedCheckProps) {
  const texts = useTexts()
  const { checks: words } = texts
  const { code, mode, total, findings } = check
  const { isLocked, servicePath } = rest.note
  const most = code === 'danger_not_written' ? findings.length : shownMax
  const left = total - Math.min(most, findings.length)
  return (
    <>
      <Notice
        kind={code === 'danger_not_written' ? 'danger' : 'warning'}
        title={fillCount(texts, words.found[code], total)}
      >
        {mode === 'warn' ? null : <p>{words.blocks}</p>}
        <ul class="points">
          {findings.slice(0, most).map((finding, index) => (
            <Finding key={index} finding={finding} {...rest} />
          ))}
        </ul>
        {left > 0 ? <p class="muted detail">{fillCount(texts, texts.danger.more, left)}</p> : null}
      </Notice>
      {/* Below: within, a phone has no room for a day and a time. */}
      {code !== 'service_minutes' || isLocked || servicePath === null ? null : (
        <CorrectService path={servicePath} onSaved={onCorrected} />
      )}
    </>
  )
}

function Finding({ finding, note, onLeave }: EntryProps & { finding: CheckFinding }) {
  const texts = useTexts()
  const { checks: words, review, note: noteWords } = texts
  const { sectionKey, sentence, label, words: said, quote, transcriptItems, mend } = finding
  const section =
    note.sections.value.find(({ key }) => key === sectionKey) ??
    (mend === 'write_words' ? note.sections.value[0] : undefined)
  const about = label ?? sentence ?? section?.title ?? ''
  const go = (): void => {
    if (section === undefined) return
    if (quote !== null && !section.content.includes(quote))
      note.edit(section.key, `${section.content.trimEnd()}\n${quote}`.trimStart())
    onLeave()
    openSection(section.key, quote ?? sentence)
  }
  return (
    <li>
      {label === null ? null : <p>{label}</p>}
      {said === '' ? <p class="detail">{review.reason.left_out}</p> : null}
      {said === null || said === '' || note.shownWords.includes(said) ? null : (
        <blockquote lang={recordLanguage}>{fill(review.words, { words: said })}</blockquote>
      )}
      {sentence === null ? null : <blockquote lang={recordLanguage}>{sentence}</blockquote>}
      {mend === 'correct_service' && note.servicePath === null ? <p class="detail">{words.service}</p> : null}
      <div class="row">
        {section === undefined || note.isLocked ? null : (
          <Button
            class="small"
            icon="edit"
            label={`${fill(words.mend[mend], { title: section.title })}: ${about}`}
            onClick={go}
          >
            {fill(words.mend[mend], { title: section.title })}
          </Button>
        )}
        {transcriptItems.length === 0 ? null : (
          <Button
            class="small"
            kind="quiet"
            label={`${noteWords.showInTranscript}: ${about}`}
            onClick={() => {
              onLeave()
              note.showLines(transcriptItems, '.action-bar .primary')
            }}
          >
            {noteWords.showInTranscript}
          </Button>
        )}
      </div>
    </li>
  )
}

/** It is opened from there, and so loaded before: `loaded-later.ts` says why it is named here. */
export * from '../loaded-later.js'
