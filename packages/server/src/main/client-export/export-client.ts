import { makeTypesetter } from '../../engines/typeset/make-typesetter.js'
import { readInstruments } from '../../features/assessments/index.js'
import { listExportFiles, type ExportParts } from '../../features/client-exports/index.js'
import { findClient, findClientAnywhere } from '../../features/clients/index.js'
import { countSessionsOfClient } from '../../features/sessions/index.js'
import { recordChange } from '../../kernel/audit/index.js'
import { makeBlobStore } from '../../kernel/blobs/index.js'
import type { ClientId } from '../../kernel/ids.js'
import { operator } from '../../kernel/operator.js'
import { readOwnVersion } from '../../kernel/own-files.js'
import { readDatabaseClock } from '../../kernel/read-database-clock.js'
import { selectInstallation } from '../../kernel/secrets/installation.sql.js'
import { readTenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { wordOperation } from '../audit-report/operation-words.js'
import type { OperatorSession } from '../commands/operator-session.js'
import { getTenantBy } from '../commands/organization.js'
import { keepUnfinalizedDays } from '../open-blobs.js'
import { openExportFolder } from './export-folder.js'

export interface ExportOptions {
  clientId: ClientId
  folder: string
  /** How far it is, from 0 to 1. */
  show: (stage: string, fraction: number) => void
}

export interface ExportReport {
  folder: string
  clientId: ClientId
  files: number
  bytes: number
  /** That an earlier attempt had written. */
  keptFiles: number
}

/** All that is kept about one client, in a folder. Who asks for it is recorded before anything of it is read. */
export async function exportClient(session: OperatorSession, options: ExportOptions): Promise<ExportReport> {
  const { owner } = session
  const { clientId, show } = options
  const tenant = await getTenantBy(owner, 'client', findClientAnywhere, clientId)
  const folder = await openExportFolder(options.folder, clientId)
  try {
    await owner.write(tenant, (tx) =>
      recordChange(tx, { ...operator, operation: 'client.export', subjects: [clientId] }),
    )
    const client = await findClient(owner, tenant, clientId)
    if (client === null) throw new Error(`there is no client ${clientId}`)
    const startedAt = new Date().toISOString()
    const parts = await openParts(session, tenant)
    try {
      const [count] = await owner.read(tenant, countSessionsOfClient(tenant, clientId))
      const total = count?.total ?? 0
      const onSession = (done: number): void => show('sessions', total === 0 ? 1 : Math.min(done / total, 1))
      for await (const file of listExportFiles(parts, tenant, client, onSession)) await folder.put(file)
    } finally {
      await parts.typesetter.close()
    }
    const written = await folder.finish({
      format: 1,
      clientId,
      product: { name: 'casenote', version: readOwnVersion() },
      startedAt,
      finishedAt: new Date().toISOString(),
    })
    return {
      folder: folder.path,
      clientId,
      files: written.length,
      bytes: written.reduce((sum, { bytes }) => sum + bytes, 0),
      keptFiles: folder.keptFiles,
    }
  } finally {
    await folder.release()
  }
}

async function openParts(
  { config, owner, masterKeys }: OperatorSession,
  tenant: TenantScope,
): Promise<ExportParts> {
  const [installation] = await owner.throughDoor(selectInstallation())
  if (installation === undefined) throw new Error('the database has no installation')
  const ring = await readTenantKeys(owner, masterKeys, tenant)
  const keys = { get: () => ring }
  const { catalogue } = await readInstruments(owner)
  const store = makeBlobStore(config, installation.installationId, await readDatabaseClock(owner))
  return {
    db: owner,
    keys,
    blobs: { db: owner, keys, store, keepDays: keepUnfinalizedDays, endedDays: config.audioRetentionDays },
    instruments: { get: () => catalogue },
    typesetter: makeTypesetter(),
    wordOperation,
  }
}
