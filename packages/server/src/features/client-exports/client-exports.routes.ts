import { ClientExport } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import { SentFile } from '../../http/sent-file.js'
import { openManifest, type BlobParts } from '../../kernel/blobs/index.js'
import type { Database } from '../../kernel/db/database.js'
import { Places } from '../../kernel/places.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findClient } from '../clients/index.js'
import type { ClientExportRow } from './client-exports.sql.js'
import { describeExport, findExport } from './read-export.js'
import { requestExport } from './request-export.js'

export interface ClientExportsParts {
  db: Database
  blobs: BlobParts
}

/** Each holds some parts of 4 MiB for as long as its reader takes. */
const downloadsMost = 16
const ofTenantMost = 4

export function registerClientExports(api: PartnerApi, { db, blobs }: ClientExportsParts): void {
  const downloads = new Places(downloadsMost, ofTenantMost)
  const load = (tenant: TenantScope, { clientExportId }: Record<'clientExportId', string>) =>
    findExport(db, tenant, clientExportId)
  api.route({
    operation: 'clientExport.create',
    method: 'POST',
    path: '/clients/{clientId}/exports',
    summary: 'Have all that is kept about a client prepared as one file',
    description:
      'JSON, recordings, notes as PDF and a FHIR R4 bundle, in one ZIP. Asked again while one is prepared, the answer is the same export. ' +
      'Whoever has the file can read and hear all of it.',
    load: (tenant, { clientId }) => findClient(db, tenant, clientId),
    answer: { status: 202, schema: ClientExport, description: 'The export, now being prepared' },
    audit: 'change',
    handle: async ({ tenant, loaded, actor, requestId }) =>
      describeExport(
        await db.write(tenant, (tx) => requestExport(tx, loaded.clientId, { actor, requestId })),
      ),
  })
  api.route({
    operation: 'clientExport.read',
    method: 'GET',
    path: '/client-exports/{clientExportId}',
    summary: 'Read how far an export is',
    load,
    answer: { status: 200, schema: ClientExport, description: 'The export' },
    audit: 'read',
    subjects: ({ clientId }) => [clientId],
    handle: async ({ loaded }) => describeExport(loaded),
  })
  api.route({
    operation: 'clientExport.download',
    method: 'GET',
    path: '/client-exports/{clientExportId}/file',
    summary: 'Download the file of an export',
    load,
    answer: {
      status: 200,
      schema: null,
      mediaType: 'application/zip',
      description: 'The file. Where fewer bytes arrive than `Content-Length` says, download it again',
    },
    rules: { 409: 'The export is still being prepared, has failed or has expired' },
    audit: 'read',
    subjects: ({ clientId }) => [clientId],
    handle: ({ tenant, loaded }) => openFile({ blobs, downloads }, tenant, loaded),
  })
}

async function openFile(
  { blobs, downloads }: { blobs: BlobParts; downloads: Places },
  tenant: TenantScope,
  row: ClientExportRow,
): Promise<SentFile> {
  const { status } = describeExport(row)
  if (status !== 'ready' || row.blobId === null)
    throw refuse.conflict('export_not_ready', `The export has no file: it is ${status}`)
  const release = downloads.take({ tenantId: tenant.tenantId, owner: tenant.tenantId })
  if (release === null)
    throw refuse.busy('busy', 'Too many exports are downloaded at once; ask again in a moment')
  try {
    const { sizeBytes, openAt } = await openManifest(blobs, tenant, row.blobId)
    const stream = openAt(0).once('close', release)
    return new SentFile(stream, { sizeBytes, name: `client-export-${row.exportId}.zip` })
  } catch (error) {
    release()
    throw error
  }
}
