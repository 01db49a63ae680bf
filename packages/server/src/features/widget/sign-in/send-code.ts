import type { TextLanguage } from '@casenote/contract'
import { finishJob } from '../../../jobs/enqueue-job.js'
import type { JobHandlers } from '../../../jobs/job-runner.js'
import { postponeJob, type JobOf } from '../../../jobs/jobs.sql.js'
import type { Database } from '../../../kernel/db/database.js'
import type { Log } from '../../../kernel/log.js'
import type { TenantKeys } from '../../../kernel/secrets/tenant-keys.js'
import { MailDelayed, MailRefused, type MailText, type MailTransport } from '../../client-mail/index.js'
import { codeTexts } from './code-texts.js'
import { deriveCode } from './sign-in-code.js'
import { selectWaitingCode } from './sign-in.sql.js'

export interface CodeMailParts {
  db: Database
  keys: TenantKeys
  log: Log
  transport: MailTransport
}

/** Until the code expires, which is thirty times. */
const retryMs = 20_000

/** What is used, expired or nobody's is not sent: the job ends all the same. */
export const makeCodeHandlers = (parts: CodeMailParts): JobHandlers<JobOf<'send_code'>> => ({
  run: (job) => sendCode(parts, job),
  giveUp: (job) => parts.db.write(job, (tx) => finishJob(tx, job, 'parked')),
})

async function sendCode({ db, keys, log, transport }: CodeMailParts, job: JobOf<'send_code'>): Promise<void> {
  const { subjectId: signInId } = job
  const [waiting] = await db.read(job, selectWaitingCode(job, signInId))
  const code = waiting === undefined ? null : deriveCode(await keys.get(job), waiting.keyVersion, signInId)
  if (waiting === undefined || code === null) {
    await db.write(job, (tx) => finishJob(tx, job))
    return
  }
  try {
    await transport.send({ ...composeCode(code, waiting.language), mailId: signInId, to: waiting.email })
  } catch (error) {
    if (error instanceof MailDelayed) {
      log.warn({ signInId, code: error.code }, 'the mail server did not take a sign-in code')
      await db.writeAtOnce(job, postponeJob(job, { delayMs: retryMs, isFree: true }))
      return
    }
    if (!(error instanceof MailRefused)) throw error
    log.error({ signInId, code: error.code }, 'a sign-in code could not be sent')
    await db.write(job, (tx) => finishJob(tx, job, 'parked'))
    return
  }
  await db.write(job, (tx) => finishJob(tx, job))
}

function composeCode(code: string, language: TextLanguage): MailText {
  const words = codeTexts[language]
  const shown = `${code.slice(0, 4)} ${code.slice(4)}`
  const lines = [words.code.replace('{code}', shown), words.care, words.unasked]
  const paragraphs = lines.map((line) => `<p style="margin:0 0 20px">${line}</p>`).join('\n')
  return {
    subject: words.subject,
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${words.subject}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1c2a2f;font:17px/1.5 system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto">
${paragraphs}
</div>
</body>
</html>
`,
  }
}
