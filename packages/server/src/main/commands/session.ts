import type { Command } from 'commander'
import { findSessionAnywhere, findStanding, type SessionStanding } from '../../features/sessions/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { ProgressBar } from '../terminal/progress-bar.js'
import { isTimeLeft, waitForSignal } from '../terminal/wait-for-signal.js'
import { asOperator, type OperatorSession } from './operator-session.js'
import { getTenantBy } from './organization.js'
import { parseTime } from './parse-time.js'
import { formatTable, print } from './print.js'
import { retryFailedSince, retryOne, type Retry } from './retry-sessions.js'

/** Often enough for a bar to look alive, seldom enough for a database at work: one row by its key each time. */
const lookEveryMs = 500

/** What the shell itself says of a command that Ctrl-C ended. */
const interruptedCode = 130

interface RetryOptions {
  failedSince?: Date
  english?: true
  json?: true
}

export function addSessionCommands(program: Command): void {
  const session = program.command('session').description('sessions on their way from recording to note')
  session
    .command('watch')
    .description('show status and progress until the session is completed or failed; exits 1 when it failed')
    .argument('<sessionId>')
    .action(async (sessionId: SessionId) => {
      const last = await asOperator(({ owner }) => watchSession(owner, sessionId))
      if (last.status === 'completed') return
      process.exitCode = last.status === 'failed' ? 1 : interruptedCode
    })
  session
    .command('retry')
    .description(
      'a new session with the recording of a failed one, which stays failed; exits 1 if there is none',
    )
    .argument('[sessionId]')
    .option(
      '--failed-since <time>',
      'all that failed since then but for their recording, as 2026-11-15T09:00Z',
      parseTime,
    )
    .option(
      '--english',
      'of one session: its clinician says that it was in English; whatever is heard is taken',
    )
    .option('--json', 'print JSON')
    .action(async (sessionId: SessionId | undefined, { failedSince, english, json }: RetryOptions) => {
      const retries = await asOperator(
        chooseRetry(sessionId, failedSince, english === true),
        // No index leads to what failed since a time.
        { isUnhurried: true },
      )
      if (retries.some(({ retryId }) => retryId === null)) process.exitCode = 1
      print(json === true, retries, describeRetries(retries))
    })
}

/** What is asked for: refused before the database is opened. */
function chooseRetry(
  sessionId: SessionId | undefined,
  failedSince: Date | undefined,
  isEnglish: boolean,
): (operator: OperatorSession) => Promise<Retry[]> {
  if (sessionId !== undefined && failedSince === undefined)
    return async (operator) => {
      const tenant = await getTenantBy(operator.owner, 'session', findSessionAnywhere, sessionId)
      return [await retryOne(operator, tenant, sessionId, isEnglish ? 'en' : undefined)]
    }
  if (sessionId !== undefined || failedSince === undefined)
    throw new Error('name one session, or a time with --failed-since')
  if (isEnglish) throw new Error('--english is said of one session')
  return (operator) => retryFailedSince(operator, failedSince)
}

function describeRetries(retries: readonly Retry[]): string[] {
  if (retries.length === 0) return ['Nothing is to be tried again.']
  const rows = retries.map(({ sessionId, retryId, reason }) => [sessionId, retryId ?? `none: ${reason}`])
  return formatTable(['failed session', 'tried again as'], rows)
}

/** Returns what it saw last: the end, or where the session was when the operator had seen enough. */
async function watchSession(owner: Database, sessionId: SessionId): Promise<SessionStanding> {
  const tenant = await getTenantBy(owner, 'session', findSessionAnywhere, sessionId)
  const stopped = waitForSignal()
  const bar = new ProgressBar(process.stdout, process.env)
  for (;;) {
    const standing = await findStanding(owner, tenant, sessionId)
    if (standing === null) throw new Error(`session ${sessionId} was deleted`)
    bar.show(nameStage(standing), standing.progress)
    const isOver = standing.status === 'completed' || standing.status === 'failed'
    if (isOver || !(await isTimeLeft(stopped, lookEveryMs))) {
      bar.end()
      if (standing.failure !== null) process.stdout.write(`${standing.failure}\n`)
      return standing
    }
  }
}

/** By the operator's clock. A moment and no countdown: without a terminal each change is a line. */
const nameStage = ({ status, nextTryAt }: SessionStanding): string =>
  nextTryAt === null ? status : `${status}, tried again at ${nextTryAt.toTimeString().slice(0, 8)}`
