import type { NoteVersion } from '@casenote/contract'
import { fill } from '../../texts/fill.js'
import { useTexts, useUi } from '../ui-context.js'
import { DiffView } from './diff-view.js'
import { withoutPlan } from './plan-sections.js'
import { findContent } from '../open-session/rebase-drafts.js'
import { useSession } from '../open-session/session-context.js'

/** A version against the current text, section by section. */
export function VersionChanges({ version, current }: { version: NoteVersion; current: NoteVersion }) {
  const { history } = useTexts()
  const { engine } = useUi()
  const { model } = useSession()
  const titles = new Map([...version.note, ...current.note].map(({ key, title }) => [key, title]))
  const sections = withoutPlan(
    [...titles].map(([key, title]) => ({ key, title })),
    model.editor.note.value?.template,
    engine.settings.value.hideTreatmentPlan,
  )
  return (
    <>
      {/* Said when another one is chosen; the text is read by who wants to. */}
      <h3 aria-live="polite">
        {version === current ? history.same : fill(history.compared, { number: version.version })}
      </h3>
      {sections.map(({ key, title }) => (
        <section key={key} class="stack tight">
          <h4>{title}</h4>
          <DiffView
            before={findContent(version.note, key) ?? ''}
            after={findContent(current.note, key) ?? ''}
          />
        </section>
      ))}
    </>
  )
}
