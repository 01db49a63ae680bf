import { useEffect, useRef } from 'preact/hooks'
import type { Stop } from '../course.js'
import type { Questionnaire } from '../questionnaire.js'
import { fill, type Texts } from '../texts/texts.js'
import { Title } from './layout.js'

interface QuestionProps {
  texts: Texts
  questionnaire: Questionnaire
  at: number
}

export function Question({ texts, questionnaire, at }: QuestionProps) {
  const stop = questionnaire.stops.value[at]
  const length = questionnaire.length.value
  if (stop === undefined) return null
  return (
    <>
      <div class="course">
        <button class="quiet" type="button" onClick={() => questionnaire.back()} hidden={at === 0}>
          <span aria-hidden="true">←</span> {texts.question.back}
        </button>
        <p>{fill(texts.question.progress, { position: stop.number, count: length })}</p>
        <div class="bar" aria-hidden="true">
          <svg viewBox="0 0 100 1" preserveAspectRatio="none">
            <rect width={(100 * stop.number) / length} height="1" />
          </svg>
        </div>
      </div>
      <Asked
        key={`${stop.assessment.assignmentId} ${stop.question.key}`}
        stop={stop}
        {...{ texts, questionnaire }}
      />
    </>
  )
}

/**
 * The number keys choose while the focus is in the question, where it is from the start: a key pressed anywhere else
 * must not answer anything (WCAG 2.1.4).
 */
function Asked({ texts, questionnaire, stop }: Omit<QuestionProps, 'at'> & { stop: Stop }) {
  const { assessment, question, value } = stop
  const section = useRef<HTMLElement>(null)
  const chosen = questionnaire.chosen.value ?? value
  const isFirst = assessment.questions[0] === question
  useEffect(() => {
    const element = section.current
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(event.key)) return
      const option = question.options[Number(event.key) - 1]
      if (option !== undefined) questionnaire.choose(stop, option.value)
    }
    element?.addEventListener('keydown', press)
    return () => element?.removeEventListener('keydown', press)
  })
  return (
    <section class="card question" ref={section} lang={assessment.language}>
      {!isSameLanguage(assessment.language, texts.language) && (
        <p class="hint only-in" lang={texts.language}>
          {fill(texts.question.onlyIn, { language: nameLanguage(texts, assessment.language) })}
        </p>
      )}
      {isFirst && assessment.intro !== null && <p class="intro">{assessment.intro}</p>}
      {question.leadIn !== null && (
        <p class="lead-in" id="lead-in">
          {question.leadIn}
        </p>
      )}
      <Title describedBy={question.leadIn === null ? undefined : 'lead-in'}>{question.text}</Title>
      {question.help !== null && <p class="hint">{question.help}</p>}
      {value === null && stop.isAnswered && (
        <div class="earlier" lang={texts.language}>
          <p>{texts.question.keepsEarlier}</p>
          <button class="quiet" type="button" onClick={() => questionnaire.pass(stop)}>
            {texts.question.next} <span aria-hidden="true">→</span>
          </button>
        </div>
      )}
      <ul class="answers" aria-label={texts.question.answers} lang={texts.language}>
        {question.options.map((option, index) => (
          <li key={option.value} lang={assessment.language}>
            <button
              type="button"
              class="answer"
              aria-pressed={chosen === option.value}
              onClick={() => questionnaire.choose(stop, option.value)}
            >
              <span>{option.text}</span>
              {index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
            </button>
          </li>
        ))}
      </ul>
      {isFirst && assessment.attribution !== null && <p class="attribution">{assessment.attribution}</p>}
    </section>
  )
}

const isSameLanguage = (one: string, other: string): boolean => one.split('-')[0] === other.split('-')[0]

/** As the page's language calls it. */
const nameLanguage = ({ language }: Texts, tag: string): string =>
  new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag
