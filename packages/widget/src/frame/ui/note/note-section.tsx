import type { NoteSection } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import { Button } from '../parts/button.js'
import { recordLanguage } from '../record-language.js'
import { useTexts } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'
import { ConflictView } from './conflict-view.js'
import { CopySectionButton } from './copy-buttons.js'
import { EvidenceText } from './evidence-text.js'

interface NoteSectionViewProps {
  section: NoteSection
  isEditable: boolean
  isBeside: boolean
}

/** One section of the note: read with its evidence, or edited as plain text. */
export function NoteSectionView({ section, isEditable, isBeside }: NoteSectionViewProps) {
  const { note: words } = useTexts()
  const { editor } = useSession().model
  const wantsEditing = useSignal(false)
  const place = useRef<HTMLElement>(null)
  const conflict = editor.conflicts.value.find(({ key }) => key === section.key)
  const canEdit = isEditable && conflict === undefined
  const isEditing = canEdit && wantsEditing.value
  const finish = (): void => {
    wantsEditing.value = false
    void editor.flush().catch(() => {})
  }
  const shown =
    conflict !== undefined ? '.attention' : isEditing ? '.section-field' : '.section-head button:last-child'
  const before = useRef(shown)
  useLayoutEffect(() => {
    // What had the focus is gone: it is on what took its place, or on who signed.
    if (before.current !== shown && document.activeElement === document.body)
      (isEditable
        ? place.current?.querySelector<HTMLElement>(shown)
        : document.querySelector<HTMLElement>('.note > .notice[tabindex]')
      )?.focus()
    before.current = shown
  }, [shown])
  return (
    <section class="note-section" ref={place} data-key={section.key}>
      <div class="section-head">
        <h3 class="grow" lang={recordLanguage}>
          {section.title}
        </h3>
        {section.content.trim() === '' ? null : (
          <CopySectionButton title={section.title} text={() => section.content.trim()} />
        )}
        {canEdit ? (
          <Button
            icon={isEditing ? 'check' : 'edit'}
            kind="quiet"
            label={fill(isEditing ? words.doneSection : words.editSection, { title: section.title })}
            onClick={isEditing ? finish : () => (wantsEditing.value = true)}
          >
            {isEditing ? words.done : words.edit}
          </Button>
        ) : null}
      </div>
      {conflict === undefined ? null : <ConflictView conflict={conflict} title={section.title} />}
      {isEditing ? <SectionField section={section} onFinish={finish} /> : null}
      {conflict === undefined && !isEditing ? <SectionText section={section} isBeside={isBeside} /> : null}
    </section>
  )
}

function SectionText({ section, isBeside }: Omit<NoteSectionViewProps, 'isEditable'>) {
  const { note: words } = useTexts()
  if (section.content.trim() === '') return <p class="muted">{words.empty}</p>
  // A new text is a new order of sentences: what was open or in focus there is gone.
  return <EvidenceText key={section.content} section={section} isBeside={isBeside} />
}

function SectionField({ section, onFinish }: { section: NoteSection; onFinish: () => void }) {
  const { editor } = useSession().model
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <>
      <label class="hidden" for={id}>
        {section.title}
      </label>
      <textarea
        id={id}
        ref={field}
        class="section-field"
        lang={recordLanguage}
        rows={4}
        value={section.content}
        onInput={(event) => editor.edit(section.key, event.currentTarget.value)}
        onBlur={() => void editor.flush().catch(() => {})}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onFinish()
        }}
      />
    </>
  )
}
