import type { BriefScore, ClientBrief as Brief, Page, TimelineEntry } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { fill, fillCount } from '../../texts/fill.js'
import { formatDay } from '../format.js'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Notice } from '../parts/notice.js'
import { Pending } from '../parts/pending.js'
import { recordLanguage } from '../record-language.js'
import { useTask } from '../task.js'
import { useTexts, useUi } from '../ui-context.js'

/** How the last session ended, what is open, how scores changed, and what happened before. */
export function ClientBrief({ clientId }: { clientId: string }) {
  const { engine } = useUi()
  const path = `/clients/${encodeURIComponent(clientId)}`
  const loaded = useLoad(() => engine.api.get<Brief>(`${path}/brief`), [clientId])
  const result = loaded.result.value
  if (result.state === 'loading') return <Pending lines={4} />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  const { lastSession, emptiedSession, openDanger, scores } = result.value
  const isHidden = engine.settings.value.hideTreatmentPlan === true
  const goals = isHidden ? [] : result.value.goals
  return (
    <div class="stack">
      <Emptied emptied={emptiedSession} hasOlder={lastSession !== null} />
      <LastSession last={lastSession} />
      {goals.length === 0 ? null : <Goals goals={goals} />}
      <OpenDanger danger={openDanger} />
      {scores.length === 0 ? null : <Scores scores={scores} />}
      <Timeline path={path} />
    </div>
  )
}

/** What was said last is not told here: a stretch of it was struck, and its note is not written again yet. */
function Emptied({ emptied, hasOlder }: { emptied: Brief['emptiedSession']; hasOlder: boolean }) {
  const { go, texts } = useUi()
  const { brief: words, locale, danger } = texts.value
  if (emptied === null) return null
  const { sessionId, at } = emptied
  return (
    <Notice kind="warning">
      {fill(hasOlder ? words.emptied : words.emptiedAlone, { date: formatDay(locale, at) })}{' '}
      <button type="button" class="link" onClick={() => go({ name: 'session', sessionId })}>
        {danger.openSession}
      </button>
    </Notice>
  )
}

function LastSession({ last }: { last: Brief['lastSession'] }) {
  const { engine, go, texts } = useUi()
  const { brief: words, locale, danger } = texts.value
  if (last === null) return <p class="muted">{words.none}</p>
  const { sessionId, at, signedAt, homework } = last
  // Who keeps the plan elsewhere is not shown another one.
  const plan = engine.settings.value.hideTreatmentPlan === true ? null : last.plan
  return (
    <section class="stack tight">
      <h2>{fill(words.last, { date: formatDay(locale, at) })}</h2>
      <p class="muted detail">
        {signedAt === null ? words.unsigned : null}{' '}
        <button type="button" class="link" onClick={() => go({ name: 'session', sessionId })}>
          {danger.openSession}
        </button>
      </p>
      {plan === null ? null : (
        <>
          <h3>{words.plan}</h3>
          {plan.split(/\n+/).map((line, index) => (
            <p key={index} lang={recordLanguage}>
              {line}
            </p>
          ))}
        </>
      )}
      {homework.length === 0 ? null : (
        <>
          <h3>{words.homework}</h3>
          <ul class="points">
            {homework.map((one) => (
              <li key={one.words} lang={recordLanguage}>
                {fill(texts.value.review.words, { words: one.words })}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Goals({ goals }: Pick<Brief, 'goals'>) {
  const { brief: words } = useTexts()
  return (
    <section class="stack tight">
      <h2>{words.goals}</h2>
      <ul class="points">
        {goals.map(({ id, text }) => (
          <li key={id} lang={recordLanguage}>
            {text}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The strip above the form has the words, and what can be done; here is that there is something. */
function OpenDanger({ danger: { items, total } }: { danger: Brief['openDanger'] }) {
  const texts = useTexts()
  if (total === 0) return null
  return (
    <section class="stack tight">
      <h2>{fillCount(texts, texts.danger.title, total)}</h2>
      <ul class="points">
        {items.map(({ id, label, at }) => (
          <li key={id}>
            {label} <span class="muted detail">{formatDay(texts.locale, at)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Scores({ scores }: { scores: readonly BriefScore[] }) {
  const { assessments: words, locale } = useTexts()
  return (
    <section class="stack tight">
      <h2>{words.trends}</h2>
      {scores.map((one) => (
        <div key={one.assessmentId} class="section-head">
          <div class="grow">
            <p>
              <strong>{one.name}</strong> {one.score}
              <span class="muted"> / {one.scoreMax}</span>{' '}
              {one.severityName === null ? null : <span class="chip">{one.severityName}</span>}
            </p>
            <p class="muted detail">
              {formatDay(locale, one.completedAt)}
              {one.change === null ? null : ` · ${words.change}: ${formatChange(one.change)}`}
              {one.reliableChange === null ? null : ` · ${words.reliable[one.reliableChange]}`}
            </p>
          </div>
          <Line score={one} />
        </div>
      ))}
    </section>
  )
}

const formatChange = (change: number): string =>
  change > 0 ? `+${change}` : String(change).replace('-', '−')

const [lineWidth, lineHeight, edge] = [88, 32, 5]

/** Drawn for the eye alone: the words beside it have the score and its change. */
function Line({ score: { points, scoreMin, scoreMax } }: { score: BriefScore }) {
  if (points.length < 2) return null
  const range = Math.max(1, scoreMax - scoreMin)
  const places = points.map(({ score }, index) => ({
    x: edge + (index / (points.length - 1)) * (lineWidth - 2 * edge),
    y: lineHeight - edge - ((score - scoreMin) / range) * (lineHeight - 2 * edge),
  }))
  const last = places.at(-1)
  return (
    <svg viewBox={`0 0 ${lineWidth} ${lineHeight}`} width={lineWidth} height={lineHeight} aria-hidden="true">
      <g class="chart">
        <polyline class="trend-line" points={places.map(({ x, y }) => `${x},${y}`).join(' ')} />
        <circle class="mark" cx={last?.x} cy={last?.y} r={3} />
      </g>
    </svg>
  )
}

/** What happened, newest first; a page at a time, once somebody wants to know. */
function Timeline({ path }: { path: string }) {
  const { engine, texts } = useUi()
  const { brief: words, general } = texts.value
  const entries = useSignal<TimelineEntry[]>([])
  const page = useSignal(0)
  const hasMore = useSignal(true)
  const task = useTask()
  const next = (): void =>
    task.run(async () => {
      const asked = page.peek() + 1
      const { data, meta } = await engine.api.get<Page<TimelineEntry>>(`${path}/timeline?page=${asked}`)
      const known = new Set(entries.peek().map(toKey))
      entries.value = [...entries.peek(), ...data.filter((entry) => !known.has(toKey(entry)))]
      page.value = asked
      hasMore.value = asked < meta.totalPages
    })
  return (
    <details onToggle={(event) => (event.currentTarget.open && page.peek() === 0 ? next() : undefined)}>
      <summary>{words.timeline}</summary>
      <ul class="points">
        {entries.value.map((entry) => (
          <Happened key={toKey(entry)} entry={entry} />
        ))}
      </ul>
      {page.value > 0 && entries.value.length === 0 ? <p class="muted">{words.none}</p> : null}
      <Failure error={task.failure} onRetry={next} />
      {page.value > 0 && hasMore.value ? (
        <Button isBusy={task.isBusy} onClick={next}>
          {general.showMore}
        </Button>
      ) : null}
    </details>
  )
}

const toKey = ({ kind, id }: TimelineEntry): string => `${kind} ${id}`

function Happened({ entry }: { entry: TimelineEntry }) {
  const { go, texts } = useUi()
  const { brief: words, locale, danger } = texts.value
  const { kind, at, label, score, severityName, sessionId } = entry
  const what = [label, score, severityName].filter((part) => part !== null).join(' · ')
  return (
    <li>
      <span class="muted detail">{formatDay(locale, at)}</span> {words.kind[kind]}: {what}{' '}
      {sessionId === null || kind !== 'session' ? null : (
        <button
          type="button"
          class="link"
          aria-label={`${danger.openSession}: ${formatDay(locale, at)}`}
          onClick={() => go({ name: 'session', sessionId })}
        >
          {danger.openSession}
        </button>
      )}
    </li>
  )
}

/** It is opened from there, and so loaded before: `loaded-later.ts` says why it is named here. */
export * from '../loaded-later.js'
