import type { ProgressNote, ReviewItem, SigningChecks } from '@casenote/contract'
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { waitUpTo } from '../../engine/wait.js'
import { fill, fillCount } from '../../texts/fill.js'
import { listMissing, withoutShown } from '../danger/danger-list.js'
import { useLoad } from '../load.js'
import { NotLoaded } from '../danger/danger-strip.js'
import { SignBeside } from '../danger/sign-beside.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Notice } from '../parts/notice.js'
import { Pending } from '../parts/pending.js'
import { useSession } from '../open-session/session-context.js'
import { useUi } from '../ui-context.js'
import { useSigningWords } from './co-signature.js'
import { GoneList } from './note-change.js'
import { isSigned } from '../open-session/note-editor.js'
import { isDanger } from './review-list.js'
import { readSeen } from './seen-note.js'
import { countUnsupported } from './split-evidence.js'

/** When this clinician signed it, as the first or as the supervisor; empty where they did not, or it was given back. */
const readOwnSignature = (note: ProgressNote | null, clinicianId: string | undefined): string =>
  note === null || !isSigned(note)
    ? ''
    : [note.signedBy, note.coSignedBy]
        .filter((one) => one?.id === clinicianId)
        .map((one) => one?.at)
        .join(' ')

/** A read is repeated until there is an answer: nobody waits longer for one, nor for what is refused. */
const orLater = (work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work.catch(() => {}), waitUpTo(3_000)])

const loadChecks = () => import('../checks/signing-checks.js')

/** The checks leave these to the note's own list. */
const isDoubtful = ({ reason }: ReviewItem): boolean => ['suspected', 'quoted_instead'].includes(reason)

/** Says what signing does, and what is open, before it is done. Beside open danger it needs a word why. */
export function FinalizeDialog({ onClose, onSigned }: { onClose: () => void; onSigned: () => void }) {
  const { engine, texts, announce, getClinician } = useUi()
  const { model, session, danger, showLines } = useSession()
  const { editor, rewriter } = model
  const words = texts.value.finalize
  const { note = [], review: listed = [] } = editor.note.value ?? {}
  const review = withoutShown(listed, danger)
  const unsupported = countUnsupported(note)
  const checks = useSignal<SigningChecks | null>(null)
  const part = useLoad(loadChecks, []).result.value
  const dangers = review.filter((item) => isDanger(item) && (checks.value === null || isDoubtful(item)))
  const others = review.filter((item) => !isDanger(item)).length
  const missing = listMissing(danger).filter(({ isAnswered }) => !isAnswered)
  const wording = useSigningWords()
  const gone = rewriter.change.value?.gone
  const changeState = rewriter.changeState.value
  const reason = rewriter.signingReason
  const seen = useMemo(() => readSeen(editor), [])
  // Two texts of a section that wait for a choice are told of by the signing.
  const isOther = useComputed(() => editor.conflicts.value.length === 0 && readSeen(editor) !== seen)
  const isSigning = useSignal(false)
  const isOtherRule = useSignal(false)
  const isTold = useSignal(false)
  const saved = useRef<Promise<void> | null>(null)
  // What is open, and gone, is asked of the text that will be signed. One that cannot be saved is told of by the signing.
  useEffect(() => {
    const ask = () => Promise.all([danger.load(), rewriter.lookAgain()])
    saved.current = editor.flush()
    void saved.current.then(ask, () => {})
    // What cannot be asked now is compared by the service.
    void orLater(engine.renewClinician()).then(() => (isTold.value = true))
  }, [])
  const hasSupervisor = (): boolean => (getClinician()?.supervisor ?? null) !== null
  const sign = async (): Promise<boolean> => {
    const wasSupervised = hasSupervisor()
    const signer = getClinician()?.id
    const ownBefore = readOwnSignature(editor.note.peek(), signer)
    isOtherRule.value = false
    try {
      await editor.requireSaved()
      if (isOther.value) return false
      isSigning.value = true
      const openDangerReason = missing.length === 0 ? null : reason.value
      const openDangerItemIds = missing.map(({ id }) => id)
      const { expectsCoSignature } = wording
      await rewriter.finalize({ openDangerReason, openDangerItemIds, expectsCoSignature })
    } catch (error) {
      // An answer may have come since, or another text: what stands in the way is shown with the refusal, or instead of it.
      void danger.load()
      await orLater(Promise.allSettled([editor.refresh(), engine.renewClinician()]))
      const own = readOwnSignature(editor.note.peek(), signer)
      if (own !== '' && own !== ownBefore) {
        rewriter.tellSigned()
        return finish()
      }
      isSigning.value = false
      isOtherRule.value = hasSupervisor() !== wasSupervised
      if (isOther.value || isOtherRule.value) return false
      throw error
    }
    return finish()
  }
  /** Also where the answer was lost on its way, and the signature was not. */
  function finish(): boolean {
    reason.value = ''
    announce(wording.done)
    onSigned()
    return true
  }
  // From its signing on the change is its own.
  const isStale = isOther.value && !isSigning.value
  return (
    <ConfirmDialog
      title={wording.title}
      action={wording.confirm}
      icon="lock"
      isDisabled={
        isStale ||
        !isTold.value ||
        changeState === 'pending' ||
        checks.value?.blocksWidget === true ||
        (missing.length > 0 && reason.value.trim() === '')
      }
      work={sign}
      onClose={onClose}
    >
      {isStale ? (
        <Notice kind="warning" title={words.changedTitle} role="alert">
          {words.changed}
        </Notice>
      ) : null}
      {isOtherRule.value ? (
        <Notice kind="warning" role="alert">
          {texts.value.coSign.changed}
        </Notice>
      ) : null}
      {danger.failure.value === null ? null : <NotLoaded list={danger} />}
      <SignBeside missing={missing} reason={reason} />
      {part.state === 'loaded' ? (
        <part.value.SigningCheckList
          note={{
            path: `${model.path}/progress-note`,
            sections: editor.sections,
            isLocked: editor.note.value === null || isSigned(editor.note.value),
            revision: JSON.stringify([readSeen(editor), listed.map(({ id }) => id)]),
            shownWords: missing.map((item) => item.words),
            save: () => saved.current ?? editor.flush(),
            edit: editor.edit,
            showLines,
            servicePath: session.clinicianId === getClinician()?.id ? `${model.path}/service` : null,
          }}
          found={checks}
          onLeave={onClose}
        />
      ) : null}
      {changeState === 'pending' ? <Pending lines={1} /> : null}
      {changeState === 'failed' || gone === null ? (
        <Notice kind="warning">{texts.value.change.notChecked}</Notice>
      ) : null}
      {gone == null || gone.length === 0 ? null : (
        <Notice kind="danger" title={fillCount(texts.value, texts.value.change.goneTitle, gone.length)}>
          <GoneList gone={gone} isLinked={false} />
        </Notice>
      )}
      <ul class="points">
        {wording.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {dangers.length === 0 ? null : (
        <Notice kind="danger" title={words.danger}>
          <ul class="points">
            {dangers.map((item) => (
              <li key={item.id}>
                <strong>{item.label}</strong>
                {item.words === '' ? (
                  <p>{texts.value.review.reason[item.reason]}</p>
                ) : (
                  <blockquote>{fill(texts.value.review.words, { words: item.words })}</blockquote>
                )}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {unsupported === 0 || checks.value !== null ? null : (
        <Notice kind="warning">
          {fillCount(texts.value, texts.value.checks.found.unsupported_sentence, unsupported)}
        </Notice>
      )}
      {others === 0 ? null : <Notice kind="warning">{fill(words.open, { count: others })}</Notice>}
    </ConfirmDialog>
  )
}
