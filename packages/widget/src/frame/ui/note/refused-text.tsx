import type { ProgressNote } from '@casenote/contract'
import { explain } from '../load.js'
import { useSession } from '../open-session/session-context.js'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { useTexts } from '../ui-context.js'
import { CopyTextButton } from './copy-buttons.js'

/** What the service does not take as it is stays in its place, and here is where it can go instead. */
export function RefusedText({ note }: { note: ProgressNote }) {
  const texts = useTexts()
  const { editor, addendum } = useSession().model
  const refused = editor.refused.value
  if (refused === null) return null
  const titles = new Map(note.note.map(({ key, title }) => [key, title]))
  const text = (): string =>
    refused.map(({ key, content }) => `${titles.get(key) ?? key}: ${content}`).join('\n\n')
  return (
    <Notice
      kind="danger"
      role="alert"
      title={texts.save.failed}
      actions={
        <>
          <CopyTextButton text={text} />
          <Button
            onClick={() => {
              addendum.append(text())
              editor.letGo()
            }}
          >
            {texts.save.keepAside}
          </Button>
        </>
      }
    >
      {explain(editor.saveFailure.value, texts)}
    </Notice>
  )
}

/** An addendum can be added once the note is signed: until then nobody would see what was kept for it. */
export function WaitingAddendum({ note }: { note: ProgressNote }) {
  const { save } = useTexts()
  const { text } = useSession().model.addendum
  if (note.status === 'finalized' || text.value.trim() === '') return null
  return (
    <Notice kind="info" icon="edit" actions={<CopyTextButton text={() => text.peek()} />}>
      {save.aside}
    </Notice>
  )
}
