import type { ProgressNote, WidgetSession } from '@casenote/contract'
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import type { Texts } from '../../texts/texts.js'
import { formatDate, formatName, formatTime, wordSigned } from '../format.js'
import { useSession } from '../open-session/session-context.js'
import { recordLanguage } from '../record-language.js'
import { useUi } from '../ui-context.js'
import { wordAwaited } from './co-signature.js'
import { tellOfPrint } from './copy-guard.js'
import { toSections } from './note-text.js'
import { withoutPlan, type SectionWords } from './plan-sections.js'
import { TextBlocks } from './text-blocks.js'

/**
 * While the note is open, the browser prints it alone: by our menu or its own. The paper is written when it is asked for
 * and gone afterwards, outside of the screens, which the style sheet leaves out (`printing`).
 */
export function usePrintedNote(): void {
  const { engine, texts } = useUi()
  const { model } = useSession()
  useEffect(() => {
    const paper = document.createElement('article')
    paper.className = 'printed'
    const { classList } = document.documentElement
    const write = (): void => {
      if (engine.auth.peek().state === 'locked') return
      const [note, session] = [model.editor.note.peek(), model.session.peek()]
      if (note === null || session === null) return
      const sections = withoutPlan(
        model.editor.sections.peek(),
        note.template,
        engine.settings.peek().hideTreatmentPlan,
      )
      render(<PrintedNote texts={texts.peek()} note={note} session={session} sections={sections} />, paper)
      document.body.append(paper)
      classList.add('printing')
      tellOfPrint(engine, session.sessionId)
    }
    const remove = (): void => {
      render(null, paper)
      paper.remove()
      classList.remove('printing')
    }
    addEventListener('beforeprint', write)
    addEventListener('afterprint', remove)
    return () => {
      removeEventListener('beforeprint', write)
      removeEventListener('afterprint', remove)
      remove()
    }
  }, [model])
}

interface PrintedNoteProps {
  texts: Texts
  note: ProgressNote
  session: WidgetSession
  /** As they are on the screen, with what is not saved yet. */
  sections: readonly SectionWords[]
}

function PrintedNote({ texts, note, session, sections }: PrintedNoteProps) {
  const { print: words, locale } = texts
  const { client } = session
  const written = sections.filter(({ content }) => content.trim() !== '')
  return (
    <>
      <header>
        <h1>{note.template.title}</h1>
        <p>
          <strong>{formatName(client)}</strong> ·{' '}
          {fill(words.born, { date: formatDate(locale, client.dateOfBirth) })}
        </p>
        <p>{fill(words.session, { date: formatTime(locale, session.startedAt ?? session.createdAt) })}</p>
        <p>
          {note.finalizedAt === null
            ? (wordAwaited(texts, note) ?? words.draft)
            : wordSigned(texts, note.finalizedAt, note)}
        </p>
      </header>
      {[...written, ...toSections(texts, note.addenda)].map(({ title, content }, at) => (
        <section key={at} lang={recordLanguage}>
          <h2>{title}</h2>
          <div class="prose">
            <TextBlocks parts={[{ text: content.trim(), evidence: null }]} />
          </div>
        </section>
      ))}
      <footer>{fill(words.printed, { date: formatTime(locale, new Date().toISOString()) })}</footer>
    </>
  )
}
