import type { WidgetAnswers } from '@casenote/contract'
import { fill } from '../../texts/fill.js'
import { formatTime } from '../format.js'
import { useLoad } from '../load.js'
import { Dialog } from '../parts/dialog.js'
import { Failure } from '../parts/failure.js'
import { Icon } from '../parts/icon.js'
import { Pending } from '../parts/pending.js'
import { recordLanguage } from '../record-language.js'
import { useUi } from '../ui-context.js'

interface AnswersDialogProps {
  clientId: string
  scoreId: string
  /** Name of the instrument. */
  name: string
  scoreMax: number
  onClose: () => void
}

/** What was asked, what was answered, and what it counted. */
export function AnswersDialog({ clientId, scoreId, name, scoreMax, onClose }: AnswersDialogProps) {
  const { engine, texts } = useUi()
  const loaded = useLoad(
    () => engine.api.get<WidgetAnswers>(`/clients/${clientId}/assessments/answers?scoreId=${scoreId}`),
    [clientId, scoreId],
  )
  const result = loaded.result.value
  return (
    <Dialog title={fill(texts.value.assessments.answersOf, { name })} isWide onClose={onClose}>
      {result.state === 'loading' ? <Pending lines={6} /> : null}
      {result.state === 'failed' ? <Failure error={result.error} onRetry={loaded.again} /> : null}
      {result.state === 'loaded' ? <Answers answered={result.value} scoreMax={scoreMax} /> : null}
    </Dialog>
  )
}

function Answers({ answered, scoreMax }: { answered: WidgetAnswers; scoreMax: number }) {
  const { assessments: words, locale } = useUi().texts.value
  const { name, score, severityName, completedAt, language, answers } = answered
  const lang = language ?? recordLanguage
  return (
    <>
      <p class="latest">
        <strong>{score}</strong>
        <span class="muted"> / {scoreMax}</span>
        {severityName === null ? null : <span class="chip">{severityName}</span>}
        <span class="muted detail">{fill(words.answered, { date: formatTime(locale, completedAt) })}</span>
      </p>
      <table class="answers">
        <caption class="hidden">{name}</caption>
        <thead>
          <tr>
            <th scope="col">{words.question}</th>
            <th scope="col">{words.answer}</th>
            <th scope="col">{words.points}</th>
          </tr>
        </thead>
        <tbody>
          {answers.map(({ key, question, answer, points, isFlagged }) => (
            <tr key={key} class={isFlagged ? 'flagged' : undefined}>
              <th scope="row" lang={lang}>
                {question}
              </th>
              <td>
                <span lang={lang}>{answer}</span>
                {isFlagged ? (
                  <span class="flag" title={words.flagged}>
                    <Icon name="warning" />
                    <span class="hidden">{words.flagged}</span>
                  </span>
                ) : null}
              </td>
              <td>{points ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
