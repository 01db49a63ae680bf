import { finishJob } from '../../jobs/enqueue-job.js'
import type { JobHandlers } from '../../jobs/job-runner.js'
import { postponeJob, type JobOf } from '../../jobs/jobs.sql.js'
import type { Database } from '../../kernel/db/database.js'
import type { ClientId } from '../../kernel/ids.js'
import type { Log } from '../../kernel/log.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { endMail, recordMailFailure, selectWaitingMail, type WaitingMailRow } from './client-mails.sql.js'
import { composeMail } from './compose-mail.js'
import { observeMail } from './mail-metrics.js'
import { unsealLink } from './seal-link.js'
import { MailDelayed, MailRefused, type MailTransport } from './smtp-transport.js'

export interface ClientMailParts {
  db: Database
  keys: TenantKeys
  log: Log
  transport: MailTransport
  /** As the client's record is now; null: it has no address, or the client is archived. */
  findRecipient: (tenant: TenantScope, clientId: ClientId) => Promise<MailRecipient | null>
  retryDelaysMs?: readonly number[]
}

export interface MailRecipient {
  address: string
  language: string | null
}

const minuteMs = 60_000

/** Greylisting wants minutes, a mail server that is mended over night wants hours; after a day a clinic has called. */
const usualRetryDelaysMs = [1, 5, 15, 60, 240, 720].map((minutes) => minutes * minuteMs)

/**
 * At least once: a worker that dies between the server's yes and ours sends it again, under the same message id. Cancelled
 * and expired links are not sent.
 */
export const makeMailHandlers = (parts: ClientMailParts): JobHandlers<JobOf<'send_mail'>> => ({
  run: (job, signal) => sendClientMail(parts, job, signal),
  giveUp: (job) => end(parts, job, 'failed', 'WORKER_DIED'),
})

async function sendClientMail(
  parts: ClientMailParts,
  job: JobOf<'send_mail'>,
  signal: AbortSignal,
): Promise<void> {
  const { db, transport, findRecipient } = parts
  const [mail] = await db.read(job, selectWaitingMail(job, job.subjectId))
  if (mail === undefined) {
    await db.write(job, (tx) => finishJob(tx, job))
    return
  }
  const recipient = await findRecipient(job, mail.clientId)
  if (recipient === null || mail.isExpired) {
    await end(parts, job, 'cancelled', mail.isExpired ? 'LINK_EXPIRED' : 'NO_ADDRESS')
    return
  }
  const url = unsealLink(await parts.keys.get(job), job.subjectId, mail.sealedLink)
  try {
    const { address: to, language } = recipient
    const text = composeMail({ kind: mail.kind, url, expiresAt: mail.linkExpiresAt, language })
    await Promise.race([transport.send({ ...text, mailId: job.subjectId, to }), aborted(signal)])
  } catch (error) {
    if (error instanceof MailRefused) await end(parts, job, 'failed', error.code)
    else if (error instanceof MailDelayed) await postpone(parts, job, mail, error.code)
    else throw error
    return
  }
  await end(parts, job, 'sent', null)
}

/** On a schedule of its own: that of the jobs is for faults that pass within minutes. */
async function postpone(
  parts: ClientMailParts,
  job: JobOf<'send_mail'>,
  { attempts }: WaitingMailRow,
  code: string,
): Promise<void> {
  const delayMs = (parts.retryDelaysMs ?? usualRetryDelaysMs)[attempts]
  if (delayMs === undefined) {
    await end(parts, job, 'failed', code)
    return
  }
  parts.log.warn(
    { mailId: job.subjectId, attempts: attempts + 1, code },
    'the mail server did not take a mail',
  )
  await parts.db.writeAtOnce(
    job,
    recordMailFailure(job, job.subjectId, code),
    postponeJob(job, { delayMs, isFree: true }),
  )
  observeMail('delayed')
}

async function end(
  { db, log }: ClientMailParts,
  job: JobOf<'send_mail'>,
  status: 'sent' | 'failed' | 'cancelled',
  failure: string | null,
): Promise<void> {
  if (status === 'failed') log.error({ mailId: job.subjectId, code: failure }, 'a mail could not be sent')
  await db.write(job, async (tx) => {
    await finishJob(tx, job, status === 'failed' ? 'parked' : 'done')
    await tx.run(endMail(job, job.subjectId, { status, failure }))
  })
  observeMail(status)
}

/** A worker that must stop does not wait for a silent server. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
