import type { ConsoleRetried, ConsoleSessionCourse } from '@casenote/contract'
import { useConsole, useTenantPath } from '../console-state.js'
import { Button, FactList, Go, Id, Pill, Problem, Time, Title, Waiting } from '../ui/parts.js'
import { Timeline, type TimelineItem } from '../ui/timeline.js'
import { useAct } from '../use-act.js'
import { useLive } from '../use-live.js'
import { sessionWords, spellOut, wordStatus, wordStep } from '../words.js'
import { SessionStatusPill } from './sessions.js'

export function Session({ id }: { id: string }) {
  const desk = useConsole()
  const path = `${useTenantPath()}/sessions/${encodeURIComponent(id)}`
  const live = useLive<ConsoleSessionCourse>(path)
  return (
    <>
      <p class="back">
        <Go screen="sessions" filters={desk.filtersOf('sessions')}>
          All sessions
        </Go>
      </p>
      <Title>Session</Title>
      <Waiting live={live} />
      {live.value !== null && <Shown session={live.value} path={path} />}
    </>
  )
}

function Shown({ session, path }: { session: ConsoleSessionCourse; path: string }) {
  const { failure, steps, history } = session
  return (
    <>
      {failure !== null && (
        <div class="notice bad">
          <p>
            <strong>{failure.message}</strong> <code>{failure.code}</code>
          </p>
          {failure.retryable ? (
            <Retry path={path} />
          ) : (
            <p>It would end so again: it cannot be tried again.</p>
          )}
        </div>
      )}
      <FactList
        facts={[
          ['Session', <Id id={session.id} />],
          ['Status', <SessionStatusPill row={session} />],
          ['Created', <Time at={session.createdAt} />],
          ['Changed', <Time at={session.updatedAt} />],
          ['Progress note', <Id id={session.noteId} />],
          ['Clinician', <Id id={session.clinicianId} />],
          ['Client', <Id id={session.clientId} />],
          ['Organization', <Id id={session.organizationId} />],
          ...(session.retryOf === null
            ? []
            : [
                [
                  'Tries again',
                  <Go screen="sessions" id={session.retryOf}>
                    <code>{session.retryOf}</code>
                  </Go>,
                ] as const,
              ]),
        ]}
      />
      <section class="card">
        <h2>Steps</h2>
        {steps.length === 0 ? (
          <p class="soft">No step has begun.</p>
        ) : (
          <Timeline label="Steps" items={listItems(session)} now={Date.now()} />
        )}
      </section>
      <section class="card">
        <h2>History</h2>
        <ol class="history">
          {history.map(({ at, status }) => (
            <li key={at + status}>
              <Time at={at} /> <Pill {...wordStatus(sessionWords, status)} />
            </li>
          ))}
        </ol>
      </section>
    </>
  )
}

/** Ended by people, whatever its steps did. */
const endedByPeople: ReadonlySet<string> = new Set(['discarded', 'withdrawn'])

/** A step that could not go on is done as a job; what it ended in is the session's failure. */
function listItems({ steps, failure }: ConsoleSessionCourse): TimelineItem[] {
  const hasFailed = failure !== null && !endedByPeople.has(failure.code)
  const last = steps.findLastIndex(({ endedAt }) => endedAt !== null)
  return steps.map(({ name, state, attempts, startedAt, endedAt }, at) => ({
    key: `${at} ${name}`,
    name: spellOut(name),
    state: wordStep(hasFailed && at === last ? 'parked' : state),
    note: attempts > 1 ? `${attempts} attempts` : null,
    startedAt,
    endedAt,
  }))
}

/** A new session with what the failed one had: the screen goes there. */
function Retry({ path }: { path: string }) {
  const desk = useConsole()
  const act = useAct()
  const retry = async (): Promise<void> => {
    const done = await act.run(() => desk.call<ConsoleRetried>('POST', `${path}/retry`))
    if (done !== null) desk.go({ screen: 'sessions', id: done.value.id })
  }
  return (
    <>
      <Button kind="main" isBusy={act.isBusy} onDo={() => void retry()}>
        Try again
      </Button>
      <Problem text={act.problem} />
    </>
  )
}
