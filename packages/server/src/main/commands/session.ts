import type { Command } from 'commander'
import { findSessionAnywhere, findStanding, type SessionStanding } from '../../features/sessions/index.js'
import type { Database } from '../../kernel/db/database.js'
import { ProgressBar } from '../terminal/progress-bar.js'
import { isTimeLeft, waitForSignal } from '../terminal/wait-for-signal.js'
import { asOperator } from './operator-session.js'
import { getTenantBy } from './organization.js'

/** Often enough for a bar to look alive, seldom enough for a database at work: one row by its key each time. */
const lookEveryMs = 500

/** What the shell itself says of a command that Ctrl-C ended. */
const interruptedCode = 130

export function addSessionCommands(program: Command): void {
  const session = program.command('session').description('sessions on their way from recording to note')
  session
    .command('watch')
    .description('show status and progress until the session is completed or failed; exits 1 when it failed')
    .argument('<sessionId>')
    .action(async (sessionId: string) => {
      const last = await asOperator(({ owner }) => watchSession(owner, sessionId))
      if (last.status === 'completed') return
      process.exitCode = last.status === 'failed' ? 1 : interruptedCode
    })
}

/** Returns what it saw last: the end, or where the session was when the operator had seen enough. */
async function watchSession(owner: Database, sessionId: string): Promise<SessionStanding> {
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
