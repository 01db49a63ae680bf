// A worker as `casenote worker` is one, with stub engines: jobs of all kinds from the queue, recordings fetched, sealed and put
// into the store, what was made of them sealed into the database, and the audit log sealed twice a second.
import { makeNoteChecker } from '../../packages/server/dist/engines/checker/note-checker.js'
import { DutyRunner } from '../../packages/server/dist/jobs/duties.js'
import { JobRunner } from '../../packages/server/dist/jobs/job-runner.js'
import { chainAudit } from '../../packages/server/dist/kernel/audit/index.js'
import { readConfig } from '../../packages/server/dist/kernel/config.js'
import { makeGuardedAgent } from '../../packages/server/dist/kernel/guarded-fetch/guarded-agent.js'
import { newId } from '../../packages/server/dist/kernel/ids.js'
import { makeLog } from '../../packages/server/dist/kernel/log.js'
import { openBlobs } from '../../packages/server/dist/main/open-blobs.js'
import { openServiceParts } from '../../packages/server/dist/main/parts.js'
import { LANES, makeJobHandlers } from '../../packages/server/dist/pipeline/pipeline.js'
import { makeStubReader, makeStubWriter, transcribeAtOnce } from '../stub-engines.js'

const minutes = Number(process.argv[2])
const config = { ...readConfig(process.env), databasePoolSize: 5 }
const log = makeLog(config.logLevel, 'worker')
const { databaseUrl, dispatcherUrl, migrateUrl } = config
const urls = { databaseUrl, dispatcherUrl, migrateUrl }
const service = await openServiceParts(config, 'worker', urls, {
  log,
  listens: false,
  shared: { masterKeys: null },
})
const sandbox = makeGuardedAgent({ environment: 'sandbox' })
const parts = {
  ...service,
  // Never asked: recognizing is replaced below.
  speech: /** @type {any} */ (null),
  publicUrl: config.publicUrl,
  blobs: await openBlobs(service),
  agents: { sandbox, production: sandbox },
  isSandboxHome: () => true,
  reader: makeStubReader(),
  writer: makeStubWriter(),
  fallbackWriter: null,
  checker: makeNoteChecker(),
}
const real = makeJobHandlers(parts)
const jobs = new JobRunner({
  db: service.db,
  listenUrl: service.listenUrl,
  log,
  lanes: LANES,
  handlers: {
    run: (job, signal) =>
      job.kind === 'transcribe'
        ? transcribeAtOnce(parts, job, { minutes, progressTimes: 6 * minutes })
        : real.run(stepIn(job), signal),
    giveUp: (job, signal) => real.giveUp(stepIn(job), signal),
  },
})

/** @param {import('../../packages/server/dist/jobs/jobs.sql.js').Job} job */
function stepIn(job) {
  if (job.kind === 'export_client' || job.kind === 'send_mail' || job.kind === 'send_code')
    throw new Error('nothing is mailed or exported here')
  return job
}

const duties = new DutyRunner(log)
const { db, keys, clock } = service
const writerId = newId()
duties.start([
  {
    name: 'audit.seal',
    pauseMs: 500,
    run: async () => void (await chainAudit({ db, keys, clock, writerId, anchors: null })),
  },
])
jobs.start()
process.stdout.write('ready\n')
await new Promise((resolve) => process.once('SIGTERM', resolve))
await jobs.close()
await duties.stop()
await sandbox.destroy()
await parts.checker.close()
await service.close()
process.exit(0)
