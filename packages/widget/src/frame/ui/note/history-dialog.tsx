import type { NoteVersion } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { formatTime } from '../format.js'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Failure } from '../parts/failure.js'
import { Pending } from '../parts/pending.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'
import { isSigned } from '../open-session/note-editor.js'
import { joinSittings, readEarlierVersions, readNewestVersions, type VersionPages } from './note-versions.js'
import { VersionChanges } from './version-changes.js'

/** It is opened from there, and so loaded before: `loaded-later.ts` says why it is named here. */
export * from '../loaded-later.js'

/** Every text that the note had, what changed since, and the way back. */
export function HistoryDialog({ onClose }: { onClose: () => void }) {
  const { engine, texts } = useUi()
  const { model } = useSession()
  const notePath = `${model.path}/progress-note`
  const versions = useLoad(async () => {
    await model.editor.flush()
    return readNewestVersions(engine.api, notePath)
  }, [])
  const result = versions.result.value
  return (
    <Dialog title={texts.value.history.title} onClose={onClose} isWide>
      {result.state === 'loading' ? <Pending lines={5} /> : null}
      {result.state === 'failed' ? <Failure error={result.error} onRetry={versions.again} /> : null}
      {result.state === 'loaded' ? (
        <Versions loaded={result.value} notePath={notePath} onClose={onClose} />
      ) : null}
    </Dialog>
  )
}

interface VersionsProps {
  loaded: VersionPages
  notePath: string
  onClose: () => void
}

function Versions({ loaded, notePath, onClose }: VersionsProps) {
  const { engine, texts, announce } = useUi()
  const { model } = useSession()
  const { history, general } = texts.value
  const pages = useSignal(loaded)
  const { isBusy, failure, run } = useTask()
  const shown = joinSittings(pages.value.versions)
  const [current] = shown
  const chosen = useSignal<NoteVersion | undefined>(shown[1] ?? current)
  const note = model.editor.note.value
  const isLocked = note !== null && isSigned(note)
  const restore = async (version: number): Promise<void> => {
    await model.rewriter.restore(version)
    announce(fill(history.restored, { number: version }))
    onClose()
  }
  const version = chosen.value
  return (
    <div class="history">
      <div class="stack tight">
        <ul class="list versions" aria-label={history.list}>
          {shown.map((one) => (
            <VersionRow
              key={one.id}
              version={one}
              isCurrent={one === current}
              isChosen={one === version}
              onChoose={() => (chosen.value = one)}
            />
          ))}
        </ul>
        {pages.value.nextPage === 0 ? null : (
          <Button
            onClick={() =>
              run(async () => {
                pages.value = await readEarlierVersions(engine.api, notePath, pages.value)
              })
            }
          >
            {general.showMore}
          </Button>
        )}
      </div>
      <div class="stack grow">
        {version === undefined || current === undefined ? null : (
          <VersionChanges version={version} current={current} />
        )}
        {version === undefined || version === current || isLocked ? null : (
          <div class="row">
            <Button
              icon="history"
              kind="primary"
              isBusy={isBusy}
              onClick={() => run(() => restore(version.version))}
            >
              {history.restore}
            </Button>
          </div>
        )}
        <Failure error={failure} />
      </div>
    </div>
  )
}

interface VersionRowProps {
  version: NoteVersion
  isCurrent: boolean
  isChosen: boolean
  onChoose: () => void
}

function VersionRow({ version, isCurrent, isChosen, onChoose }: VersionRowProps) {
  const { history, locale } = useUi().texts.value
  return (
    <li>
      <button type="button" class="list-row" aria-pressed={isChosen} onClick={onChoose}>
        <span class="grow">
          <span class="row-title">{history.origin[version.origin]}</span>
          <span class="muted detail">
            {fill(history.version, { number: version.version })} · {formatTime(locale, version.createdAt)}
          </span>
        </span>
        {isCurrent ? <span class="chip">{history.current}</span> : null}
      </button>
    </li>
  )
}
