import type { NoteRewriting, NoteSection, ProgressNote } from '@casenote/contract'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Failure } from '../parts/failure.js'
import { Pending } from '../parts/pending.js'
import { recordLanguage } from '../record-language.js'
import { useSession } from '../open-session/session-context.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'
import { ConflictView } from './conflict-view.js'
import { ChangedSection } from './note-change.js'
import { NoteSectionView } from './note-section.js'
import { isCompared } from '../open-session/open-change.js'
import { withoutPlan } from './plan-sections.js'

interface SectionsProps {
  note: ProgressNote
  isEditable: boolean
  isBeside: boolean
}

/** In the template's order; what is not written yet keeps its place, and so does what a magic edit took out. */
export function Sections({ note, isEditable, isBeside }: SectionsProps) {
  const { engine } = useUi()
  const { rewriter, editor } = useSession().model
  const { hideTreatmentPlan } = engine.settings.value
  const place = useRef<HTMLDivElement>(null)
  const task = useTask()
  const outcome = rewriter.outcome.value
  // A magic edit comes as a whole: what it changes is read on until then.
  const meanwhile =
    note.isLoading && outcome.kind === 'working' && outcome.call === 'magic-edit' ? outcome.before : null
  const written = withoutPlan(meanwhile ?? editor.sections.value, note.template, hideTreatmentPlan)
  const pending = withoutPlan(useChanged(isEditable), note.template, hideTreatmentPlan)
  const keep = (key: string): void => {
    rewriter.keepSection(key)
    const { gone = null } = rewriter.change.value ?? {}
    if (pending.length === 1 && gone?.length === 0)
      task.run(() =>
        rewriter.keep().catch((error: unknown) => {
          rewriter.askAgain(key)
          throw error
        }),
      )
    focusBehind.current = key
  }
  const focusBehind = useRef<string | null>(null)
  useLayoutEffect(() => {
    // The button that was pressed is gone: the next change, else the section itself.
    const key = focusBehind.current
    if (key === null) return
    focusBehind.current = null
    const next = place.current?.querySelector<HTMLElement>('.changed .button')
    const own = place.current?.querySelector<HTMLElement>(
      `[data-key="${CSS.escape(key)}"] .button:last-of-type`,
    )
    ;(next ?? own)?.focus()
  }, [pending.length])
  const shown = inOrder(note, written, pending)
  const keys = new Set(shown.map(({ key }) => key))
  const coming =
    note.isLoading && meanwhile === null ? note.template.sections.filter(({ key }) => !keys.has(key)) : []
  return (
    <div class="sections" ref={place} data-waiting={meanwhile !== null} aria-busy={meanwhile !== null}>
      <Failure error={task.failure} />
      {shown.map(({ key, section, change }) =>
        change !== undefined ? (
          <ChangedSection
            key={key}
            section={change}
            versionBefore={rewriter.change.value?.versionBefore ?? 1}
            onKeep={() => keep(key)}
          />
        ) : section === undefined ? null : (
          <NoteSectionView key={key} section={section} isEditable={isEditable} isBeside={isBeside} />
        ),
      )}
      {withoutPlan(coming, note.template, hideTreatmentPlan).map(({ key, title }) => (
        <section key={key} class="note-section coming">
          <h3>{title}</h3>
          <Pending lines={2} />
        </section>
      ))}
      <LostTexts note={note} shown={keys} />
    </div>
  )
}

/** What was typed into sections that are not shown: taken out of the note meanwhile, or kept by the page. */
function LostTexts({ note, shown }: { note: ProgressNote; shown: ReadonlySet<string> }) {
  const { editor } = useSession().model
  return editor.conflicts.value
    .filter(({ key }) => !shown.has(key))
    .map((conflict) => {
      const title = nameSection(note, conflict.key)
      return (
        <section key={conflict.key} class="note-section" data-key={conflict.key}>
          <div class="section-head">
            <h3 class="grow" lang={recordLanguage}>
              {title}
            </h3>
          </div>
          <ConflictView conflict={conflict} title={title} />
        </section>
      )
    })
}

/** A note of another type has other sections: of one that it does not know, the words of its key. */
function nameSection({ note, template }: ProgressNote, key: string): string {
  const known = [...note, ...template.sections].find((section) => section.key === key)
  const words = key.replaceAll('_', ' ')
  return known?.title ?? words.charAt(0).toUpperCase() + words.slice(1)
}

type ChangedText = NoteRewriting['sections'][number]

/** Of sections that somebody typed into meanwhile the text of now is compared. */
function useChanged(isEditable: boolean): ChangedText[] {
  const { rewriter, editor } = useSession().model
  const change = rewriter.change.value
  if (change === null || !isEditable || !isCompared(change)) return []
  const now = new Map(editor.sections.value.map(({ key, content }) => [key, content]))
  const disputed = new Set(editor.conflicts.value.map(({ key }) => key))
  return change.sections
    .filter(({ key }) => !rewriter.kept.value.has(key) && !disputed.has(key))
    .map((section) => ({ ...section, after: now.get(section.key) ?? null }))
}

interface ShownSection {
  key: string
  section?: NoteSection
  change?: ChangedText
}

function inOrder(
  { template }: ProgressNote,
  written: readonly NoteSection[],
  pending: readonly ChangedText[],
): ShownSection[] {
  const order = template.sections.map(({ key }) => key)
  const changes = new Map(pending.map((change) => [change.key, change]))
  const present = written.map((section): ShownSection => {
    const change = changes.get(section.key)
    return change === undefined ? { key: section.key, section } : { key: section.key, section, change }
  })
  const known = new Set(written.map(({ key }) => key))
  const removed = pending.filter(({ key }) => !known.has(key)).map((change) => ({ key: change.key, change }))
  if (removed.length === 0) return present
  return [...present, ...removed].toSorted((one, other) => order.indexOf(one.key) - order.indexOf(other.key))
}
