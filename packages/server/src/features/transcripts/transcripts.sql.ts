import type { Statement } from '../../kernel/db/database.js'
import type { ClientId, SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** A session with its transcript, if it has one. */
export interface TranscriptRow {
  sessionId: SessionId
  clientId: ClientId
  /** Why the session failed, if it did. */
  failureCode: string | null
  sealedItems: Buffer | null
  /** Who its voices are; null: nobody was named. */
  sealedSpeakers: Buffer | null
  isOneVoice: boolean | null
  createdAt: Date | null
}

/** None of a session that was withdrawn: what a legal hold keeps of it is read by nobody. */
export const selectTranscript = (tenant: TenantScope, sessionId: SessionId): Statement<TranscriptRow> => ({
  name: 'select_transcript',
  text: `select s.session_id as "sessionId", s.client_id as "clientId", s.failure_code as "failureCode", t.sealed_items as "sealedItems",
      t.sealed_speakers as "sealedSpeakers", t.is_one_voice as "isOneVoice", t.created_at as "createdAt"
    from casenote.sessions s
    left join casenote.transcripts t on t.tenant_id = s.tenant_id and t.session_id = s.session_id
      and s.failure_code is distinct from 'withdrawn'
    where s.tenant_id = $1 and s.session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

export const lockTranscript = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  name: 'lock_transcript',
  text: 'select from casenote.transcripts where tenant_id = $1 and session_id = $2 for update',
  values: [tenant.tenantId, sessionId],
})

/** Sealing the same twice gives other bytes: whatever was put right changes it. */
export const selectTranscriptMark = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ mark: string }> => ({
  name: 'select_transcript_mark',
  text: `select encode(sha256(sealed_items), 'hex') as mark from casenote.transcripts
    where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

export const insertTranscript = (
  tenant: TenantScope,
  row: { sessionId: SessionId; sealedItems: Buffer; madeBy: string; isOneVoice: boolean },
): Statement => ({
  name: 'insert_transcript',
  text: `insert into casenote.transcripts (tenant_id, session_id, sealed_items, made_by, is_one_voice)
    values ($1, $2, $3, $4, $5)`,
  values: [tenant.tenantId, row.sessionId, row.sealedItems, row.madeBy, row.isOneVoice],
})

/** Keeps a transcript's lines, and of how many voices they are now where somebody said that: of several, nobody is told that there was one. */
export const updateTranscript = (
  tenant: TenantScope,
  sessionId: SessionId,
  sealedItems: Buffer,
  voiceCount = 0,
): Statement => ({
  name: 'update_transcript',
  text: `update casenote.transcripts set sealed_items = $3, is_one_voice = is_one_voice and $4::int < 2
    where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, sessionId, sealedItems, voiceCount],
})

export const updateSpeakers = (
  tenant: TenantScope,
  sessionId: SessionId,
  sealedSpeakers: Buffer | null,
): Statement => ({
  name: 'update_transcript_speakers',
  text: 'update casenote.transcripts set sealed_speakers = $3 where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId, sealedSpeakers],
})

export const selectChunks = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ chunk: number; sealedChunk: Buffer }> => ({
  name: 'select_transcription_chunks',
  text: `select chunk, sealed_chunk as "sealedChunk" from casenote.transcription_chunks
    where tenant_id = $1 and session_id = $2 order by chunk`,
  values: [tenant.tenantId, sessionId],
})

export const selectChunksFrom = (
  tenant: TenantScope,
  { sessionId, from, most }: { sessionId: SessionId; from: number; most: number },
): Statement<{ chunk: number; sealedChunk: Buffer }> => ({
  name: 'select_transcription_chunks_from',
  text: `select chunk, sealed_chunk as "sealedChunk" from casenote.transcription_chunks
    where tenant_id = $1 and session_id = $2 and chunk >= $3 order by chunk limit $4`,
  values: [tenant.tenantId, sessionId, from, most],
})

export const upsertChunk = (
  tenant: TenantScope,
  row: { sessionId: SessionId; chunk: number; sealedChunk: Buffer },
): Statement<{ isNew: boolean }> => ({
  name: 'upsert_transcription_chunk',
  text: `insert into casenote.transcription_chunks (tenant_id, session_id, chunk, sealed_chunk)
    values ($1, $2, $3, $4)
    on conflict (tenant_id, session_id, chunk) do update set sealed_chunk = excluded.sealed_chunk
    returning xmax = 0 as "isNew"`,
  values: [tenant.tenantId, row.sessionId, row.chunk, row.sealedChunk],
})

export const deleteTranscript = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  text: 'delete from casenote.transcripts where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})

/** Of a session and those of the same client that it is another try of, the latest whose transcript in this language is kept. */
export const selectHeardTry = (
  tenant: TenantScope,
  sessionId: SessionId,
  language: string | null,
): Statement<{ sessionId: SessionId }> => ({
  text: `with recursive tried as (
      select session_id, client_id, retry_of, language, 0 as back
      from casenote.sessions where tenant_id = $1 and session_id = $2
      union all select s.session_id, s.client_id, s.retry_of, s.language, t.back + 1 from casenote.sessions s
        join tried t on s.tenant_id = $1 and s.session_id = t.retry_of and s.client_id = t.client_id)
    select t.session_id as "sessionId" from tried t
    join casenote.transcripts k on k.tenant_id = $1 and k.session_id = t.session_id
    where t.language is not distinct from $3::text order by t.back limit 1`,
  values: [tenant.tenantId, sessionId, language],
})

export const selectTranscriptMaker = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ madeBy: string }> => ({
  text: 'select made_by as "madeBy" from casenote.transcripts where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})
