import {
  MagicEdit,
  MagicEditRequest,
  NotePatch,
  NoteVersion,
  pageOf,
  PageOf,
  PageQuery,
  ProgressNote,
  RegenerationQuery,
  SigningChecks,
} from '@casenote/contract'
import type { PackedTalk } from '../../engines/checker/checker-requests.js'
import type { PartnerApi } from '../../http/partner-api.js'
import type { Tagged } from '../../http/tagged.js'
import { openChange, type SealedParts } from '../../kernel/change-context.js'
import type { SessionId } from '../../kernel/ids.js'
import type { PlaceLine } from '../../kernel/place-line.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findClinician } from '../clinicians/index.js'
import { chooseForNote } from '../templates/index.js'
import { registerAddenda } from './addenda.routes.js'
import { changeNote } from './change-note.js'
import { readSigningChecks, type CheckParts } from './check-before-signing.js'
import { showNote } from './describe-note.js'
import { findNote, findNoteOfSession } from './get-note.js'
import { listMagicEdits } from './list-magic-edits.js'
import { listVersions } from './list-versions.js'
import { noteVersionsMax, requireIdle, requireUnlocked } from './note-lifecycle.js'
import type { NoteRow } from './progress-notes.sql.js'
import { magicEditNote, regenerateNote } from './request-generation.js'
import { lookBeforeSigning, signNote } from './sign-note.js'

const locked = '`Progress note is locked`'
const busy = '`Progress note is being generated`'
const full = `at most ${noteVersionsMax} versions`
const unwritten =
  '`Progress note has not been generated`: the first writing failed, or the one after a stretch was struck'

export interface NotesParts extends SealedParts, CheckParts {
  /** Null: no transcript yet. Handed in, because transcripts know notes already. */
  findTalk: (ring: TenantKeyRing, sessionId: SessionId) => Promise<PackedTalk | null>
  /** `makeRecheckPlaces`. */
  rechecks: PlaceLine
}

export function registerProgressNotes(api: PartnerApi, parts: NotesParts): void {
  const { db } = parts
  const load = (
    tenant: TenantScope,
    { progressNoteId }: Record<'progressNoteId', string>,
  ): Promise<NoteRow | null> => findNote(db, tenant, progressNoteId)
  const describe = async (tenant: TenantScope, row: NoteRow): Promise<Tagged<ProgressNote>> =>
    showNote(await parts.keys.get(tenant), row)
  const subjects = ({ sessionId, clientId }: NoteRow): string[] => [sessionId, clientId]
  registerReads(api, parts, { load, describe, subjects })
  registerChecks(api, parts, { load, describe, subjects })
  registerAddenda(api, parts)
  api.route({
    operation: 'progressNote.change',
    method: 'PATCH',
    path: '/progress-notes/{progressNoteId}',
    summary: 'Change the text of a progress note',
    load,
    requireState: requireUnlocked,
    takesIfMatch: true,
    body: NotePatch,
    answer: {
      status: 200,
      schema: ProgressNote,
      description:
        'The changed note; same id and status, no event. Words in a note that `isEmptied` make it `regenerated`',
    },
    rules: {
      403: locked,
      409: `${busy}; ${unwritten}, and no words are given instead; ${full}; or changed since the read that \`If-Match\` names`,
    },
    audit: 'change',
    etag: true,
    handle: async ({ tenant, loaded, body, ifMatch, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const findTalk = () => parts.findTalk(context.ring, loaded.sessionId)
      const row = await changeNote(parts, tenant, context, loaded, { patch: body, ifMatch, findTalk })
      return describe(tenant, row)
    },
  })
  api.route({
    operation: 'progressNote.magicEdit',
    method: 'POST',
    path: '/progress-notes/{progressNoteId}/magic-edit',
    summary: 'Have a progress note changed by instructions',
    load,
    requireState: requireUnlocked,
    body: MagicEditRequest,
    answer: { status: 202, schema: ProgressNote, description: 'The note, now loading' },
    rules: { 403: locked, 409: `${busy}; ${unwritten}; ${full}` },
    audit: 'change',
    etag: true,
    handle: async ({ tenant, loaded, body, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const row = await db.write(tenant, (tx) =>
        magicEditNote(tx, context, loaded.noteId, body.userInstructions),
      )
      return describe(tenant, row)
    },
  })
  api.route({
    operation: 'progressNote.regenerate',
    method: 'POST',
    path: '/progress-notes/{progressNoteId}/regenerate',
    summary: 'Have a progress note written again',
    load,
    requireState: requireUnlocked,
    query: RegenerationQuery,
    answer: { status: 202, schema: ProgressNote, description: 'The note, now loading' },
    rules: { 403: locked, 409: `${busy}; \`Session has no transcript\`; ${full}` },
    audit: 'change',
    etag: true,
    handle: async ({ tenant, loaded, query, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const row = await db.write(tenant, async (tx) => {
        const template = await chooseForNote(tx, loaded.sessionId, query)
        return regenerateNote(tx, context, loaded.noteId, template)
      })
      return describe(tenant, row)
    },
  })
  api.route({
    operation: 'progressNote.finalize',
    method: 'POST',
    path: '/progress-notes/{progressNoteId}/finalize',
    summary: 'Finalize and lock a progress note',
    load,
    requireState: requireIdle,
    answer: {
      status: 200,
      schema: ProgressNote,
      description: 'The locked note; also when it was locked before',
    },
    rules: {
      409: `${busy}; ${unwritten}; or a check fails that the partner wants to block (\`signingChecks\`)`,
    },
    audit: 'change',
    etag: true,
    prepare: async (tenant, loaded) =>
      lookBeforeSigning(parts, await parts.keys.get(tenant), loaded, 'partner_api'),
    handle: async ({ tenant, loaded, prepared, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      // The contract knows no refusal for what is open about danger, nor a tag: it is recorded (decision 0023).
      const rule = { isAskedFor: false } as const
      const signature = { rule, surface: 'partner_api', look: prepared, ifMatch: null } as const
      return describe(tenant, await signNote(parts, tenant, context, loaded, signature))
    },
  })
}

function registerChecks(api: PartnerApi, parts: NotesParts, { load, subjects }: NoteRead): void {
  api.route({
    operation: 'progressNote.readChecks',
    method: 'GET',
    path: '/progress-notes/{progressNoteId}/checks',
    summary: 'Read how a progress note stands before it is signed',
    description:
      'Each check says what it found, where, and how it is put right. `signingChecks` of `GET /partners` says which of them warn and which block.',
    load,
    answer: {
      status: 200,
      schema: SigningChecks,
      description: 'The checks that are not off; none while the note is generated',
    },
    audit: 'read',
    subjects,
    handle: async ({ tenant, loaded }) => readSigningChecks(parts, await parts.keys.get(tenant), loaded),
  })
}

interface NoteRead {
  load: (tenant: TenantScope, params: Record<string, string>) => Promise<NoteRow | null>
  describe: (tenant: TenantScope, row: NoteRow) => Promise<Tagged<ProgressNote>>
  subjects: (row: NoteRow) => string[]
}

function registerReads(
  api: PartnerApi,
  { db, keys }: SealedParts,
  { load, describe, subjects }: NoteRead,
): void {
  api.route({
    operation: 'session.readProgressNote',
    method: 'GET',
    path: '/sessions/{sessionId}/progress-note',
    summary: 'Read the progress note of a session',
    load: (tenant, { sessionId }) => findNoteOfSession(db, tenant, sessionId),
    answer: { status: 200, schema: ProgressNote, description: 'The note; `isLoading` while it is generated' },
    audit: 'read',
    etag: true,
    subjects: (row) => [row.progressNoteId, ...subjects(row)],
    handle: ({ tenant, loaded }) => describe(tenant, loaded),
  })
  api.route({
    operation: 'progressNote.read',
    method: 'GET',
    path: '/progress-notes/{progressNoteId}',
    summary: 'Read a progress note by any id that it ever had',
    load,
    answer: { status: 200, schema: ProgressNote, description: 'The note as it is now' },
    audit: 'read',
    etag: true,
    subjects: (row) => [row.progressNoteId, ...subjects(row)],
    handle: ({ tenant, loaded }) => describe(tenant, loaded),
  })
  api.route({
    operation: 'progressNote.listVersions',
    method: 'GET',
    path: '/progress-notes/{progressNoteId}/versions',
    summary: 'List the versions of a progress note',
    load,
    query: PageQuery,
    answer: {
      status: 200,
      schema: PageOf(NoteVersion),
      description: 'A page of versions, oldest first',
      inPieces: true,
    },
    audit: 'read',
    subjects,
    handle: async ({ tenant, loaded, page }) => {
      // What a note said that was withdrawn is of another client than its session.
      if (loaded.status === 'failed') return pageOf([], 0, page)
      return listVersions(db, await keys.get(tenant), { noteId: loaded.noteId, page })
    },
  })
  api.route({
    operation: 'clinician.listMagicEdits',
    method: 'GET',
    path: '/clinicians/{clinicianId}/magic-edit',
    summary: 'List the magic edits of a clinician’s notes',
    load: (tenant, { clinicianId }) => findClinician(db, tenant, clinicianId),
    query: PageQuery,
    answer: { status: 200, schema: PageOf(MagicEdit), description: 'A page of magic edits, oldest first' },
    audit: 'read',
    subjects: (_clinician, result) => result.data.map(({ clientId }) => clientId),
    handle: async ({ tenant, loaded, page }) =>
      listMagicEdits(db, await keys.get(tenant), {
        clinicianId: loaded.clinicianId,
        page,
      }),
  })
}
