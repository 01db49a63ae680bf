import { mkdir } from 'node:fs/promises'
import { purgeDeliveries } from '../features/webhooks/index.js'
import { purgeWidgetSessions } from '../features/widget/index.js'
import { DutyRunner, type Duty } from '../jobs/duties.js'
import { anchorFile, readAnchors, sealAudit, writeAnchors } from '../kernel/audit/index.js'
import { newId } from '../kernel/ids.js'
import type { ServiceParts } from './parts.js'

/** What one pass removes at the most, so that a long pause does not end in one huge transaction. */
const purgedMost = 10_000

export interface Worker {
  isPolling(): boolean
  close(): Promise<void>
}

export function startWorker(parts: ServiceParts): Worker {
  const runner = new DutyRunner(parts.log)
  runner.start([makeSealing(parts), ...makePurging(parts)])
  return { isPolling: () => runner.isPolling(), close: () => runner.stop() }
}

/** Twice a second, so that a change is in its chain and under a checkpoint within one. */
function makeSealing({ db, keys, clock, config, log }: ServiceParts): Duty {
  const writerId = newId()
  const file = anchorFile(config.dataDir)
  return {
    name: 'audit.seal',
    pauseMs: 500,
    run: async () => {
      // The embedded server has made it; on an external one nobody else has. What is in it, only its owner reads.
      await mkdir(config.dataDir, { recursive: true, mode: 0o711 })
      const report = await sealAudit({ db, keys, clock, writerId, anchors: await readAnchors(file) })
      await writeAnchors(file, report.anchors)
      for (const tenantId of report.diverged)
        log.error({ tenantId }, 'the audit log does not contain its anchor')
      for (const { tenantId, error } of report.failures) log.error({ tenantId, err: error }, 'sealing failed')
    },
  }
}

/** Rare, because what they remove is weeks old. */
const makePurging = ({ db, clock, config }: ServiceParts): Duty[] => [
  {
    name: 'widgetSession.purge',
    pauseMs: 3_600_000,
    run: async () => {
      await db.throughDoor(purgeWidgetSessions(purgedMost))
    },
  },
  {
    name: 'webhookDelivery.purge',
    pauseMs: 60_000,
    run: async () => {
      const before = new Date(clock.nowMs() - config.deliveryRetentionDays * 24 * 3_600_000)
      await db.throughDoor(purgeDeliveries(before, purgedMost))
    },
  },
]
