import type { CheckFinding, NoteSection, SigningCheck, SigningChecks } from '@casenote/contract'
import type { ReadonlySignal, Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { fill, fillCount } from '../../texts/fill.js'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Notice } from '../parts/notice.js'
import { Pending } from '../parts/pending.js'
import { recordLanguage } from '../record-language.js'
import { useTexts, useUi } from '../ui-context.js'
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
  const loaded = useLoad(async () => {
    // Of the text that will be signed. One that cannot be saved is told of by the signing.
    await note.save().catch(() => {})
    return engine.api.get<SigningChecks>(`${note.path}/checks`)
  }, [note.revision])
  const result = loaded.result.value
  useEffect(() => {
    found.value = result.state === 'loaded' ? result.value : null
  }, [result])
  if (result.state === 'loading') return <Pending lines={1} />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  const failed = result.value.checks.filter(({ state }) => state === 'failed')
  return (
    <>
      {result.value.blocksWidget ? (
        <Notice kind="danger" role="alert">
          {words.blocked}
        </Notice>
      ) : null}
      {failed.map((check) => (
        <FailedCheck key={check.code} check={check} note={note} onLeave={onLeave} />
      ))}
    </>
  )
}

type EntryProps = Pick<SigningCheckListProps, 'note' | 'onLeave'>

function FailedCheck({ check, ...rest }: EntryProps & { check: SigningCheck }) {
  const texts = useTexts()
  const { checks: words } = texts
  const { code, mode, total, findings } = check
  const most = code === 'danger_not_written' ? findings.length : shownMax
  const left = total - Math.min(most, findings.length)
  return (
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
      {left > 0 ? <p class="muted detail">{fillCount(texts, texts.review.more, left)}</p> : null}
    </Notice>
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
      {section === undefined && mend === 'correct_service' ? <p class="detail">{words.service}</p> : null}
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
