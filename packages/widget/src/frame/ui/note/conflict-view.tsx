import { Button } from '../parts/button.js'
import { useTexts } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'
import { CopyTextButton } from './copy-buttons.js'
import { DiffView } from './diff-view.js'
import { isSigned } from '../open-session/note-editor.js'
import type { Conflict } from '../open-session/rebase-drafts.js'

/** Two texts of one section: both are shown, the clinician chooses. */
export function ConflictView({ conflict, title }: { conflict: Conflict; title: string }) {
  const { conflict: words, save } = useTexts()
  const { editor, addendum } = useSession().model
  const { theirs, mine } = conflict
  const isLocked = editor.note.value !== null && isSigned(editor.note.value)
  return (
    <section
      class="card attention stack"
      role="group"
      tabIndex={-1}
      aria-label={`${theirs === null ? words.goneTitle : words.title}: ${title}`}
    >
      <p>
        <strong>{theirs === null ? words.goneTitle : words.title}</strong>
      </p>
      <p class="muted">{theirs === null ? words.goneBody : words.body}</p>
      <div class="sides">
        {theirs === null ? null : (
          <div class="side stack tight">
            <h4>{words.theirs}</h4>
            <p class="prose">{theirs}</p>
            <Button onClick={() => editor.settle(conflict, 'theirs')}>{words.takeTheirs}</Button>
          </div>
        )}
        <div class="side stack tight">
          <h4>{words.mine}</h4>
          <DiffView before={theirs ?? ''} after={mine} />
          {theirs === null || isLocked ? (
            <div class="row">
              <CopyTextButton text={() => mine} />
              {isLocked ? (
                <Button
                  onClick={() => {
                    addendum.append(`${title}: ${mine}`)
                    editor.settle(conflict, 'theirs')
                  }}
                >
                  {save.keepAside}
                </Button>
              ) : null}
              {theirs === null ? (
                <Button onClick={() => editor.settle(conflict, 'theirs')}>{words.letGo}</Button>
              ) : null}
            </div>
          ) : (
            <Button kind="primary" onClick={() => editor.settle(conflict, 'mine')}>
              {words.takeMine}
            </Button>
          )}
        </div>
      </div>
    </section>
  )
}
