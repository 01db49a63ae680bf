import type { Session } from '@casenote/contract'
import type { SessionId } from '../../kernel/ids.js'
import { unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { describeFailure } from './session-lifecycle.js'
import type { SessionRow } from './sessions.sql.js'

/** Often presigned, so as good as a password to the recording. */
export const fileUrlPlace = (sessionId: SessionId): JsonPlace<string> => ({
  table: 'sessions',
  row: sessionId,
  column: 'sealed_file_url',
})

export const readFileUrl = (ring: TenantKeyRing, row: SessionRow): string | null =>
  row.sealedFileUrl === null ? null : unsealJson(ring, fileUrlPlace(row.sessionId), row.sealedFileUrl)

export const describeSession = (ring: TenantKeyRing, row: SessionRow): Session => ({
  id: row.sessionId,
  sessionId: row.sessionId,
  sessionExternalId: row.sessionExternalId,
  fileUrl: readFileUrl(ring, row),
  clientId: row.clientId,
  clinicianId: row.clinicianId,
  clinicId: row.clinicId,
  organizationId: row.organizationId,
  noteType: row.noteType,
  templateId: row.templateId ?? row.noteType,
  source: row.source,
  language: row.language,
  status: row.status,
  progress: row.progress,
  failure: describeFailure(row.failureCode),
  startedAt: row.startedAt?.toISOString() ?? null,
  retryOf: row.retryOf,
  ...(row.sharedFrom === null ? {} : { sharedFrom: row.sharedFrom }),
  ...(row.linkedSessions.length === 0 ? {} : { linkedSessions: row.linkedSessions }),
  createdAt: row.createdAt.toISOString(),
})
