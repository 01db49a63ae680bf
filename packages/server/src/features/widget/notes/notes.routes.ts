import {
  AddendumRequest,
  MagicEdit,
  MagicEditRequest,
  NotePatch,
  NoteRegeneration,
  NoteRestoration,
  NoteSigning,
  NoteVersion,
  PageOf,
  pageOfTen,
  PageQuery,
  ProgressNote,
  SigningChecks,
} from '@casenote/contract'
import type { Tagged } from '../../../http/tagged.js'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import { openChange, type ChangeContext } from '../../../kernel/change-context.js'
import type { Tx } from '../../../kernel/db/database.js'
import type { TenantScope } from '../../../kernel/tenant.js'
import {
  addAddendum,
  changeNote,
  listMagicEditsOfNote,
  listVersions,
  magicEditNote,
  readSigningChecks,
  regenerateNote,
  restoreNote,
  showNote,
  signNote,
  type NoteRow,
  type NotesParts,
} from '../../progress-notes/index.js'
import { chooseForNote } from '../../templates/index.js'
import { findUnreadWords } from '../../transcripts/index.js'
import { readReason } from '../danger/read-reason.js'
import { registerReturns } from './returns.routes.js'
import { findTreatedNote, requireReadable } from '../sessions/read-widget-sessions.js'

export function registerNotes(api: WidgetApi, parts: NotesParts): void {
  registerReads(api, parts)
  registerChanges(api, parts)
  registerReturns(api, parts)
}

const makeLoad =
  ({ db }: NotesParts) =>
  async (caller: WidgetCaller, { sessionId }: Record<'sessionId', string>): Promise<NoteRow | null> =>
    findTreatedNote(db, caller, sessionId)

function registerReads(api: WidgetApi, parts: NotesParts): void {
  const { db, keys } = parts
  const load = makeLoad(parts)
  const subjects = ({ progressNoteId, clientId }: NoteRow): string[] => [progressNoteId, clientId]
  api.route({
    operation: 'widget.readProgressNote',
    method: 'GET',
    path: '/sessions/{sessionId}/progress-note',
    load,
    answer: { status: 200, schema: ProgressNote },
    audit: 'read',
    subjects,
    handle: async ({ caller, loaded }) => showNote(await keys.get(caller.tenant), loaded),
  })
  api.route({
    operation: 'widget.readChecks',
    method: 'GET',
    path: '/sessions/{sessionId}/progress-note/checks',
    load,
    answer: { status: 200, schema: SigningChecks },
    audit: 'read',
    subjects,
    handle: async ({ caller, loaded }) => readSigningChecks(parts, await keys.get(caller.tenant), loaded),
  })
  api.route({
    operation: 'widget.listVersions',
    method: 'GET',
    path: '/sessions/{sessionId}/progress-note/versions',
    load,
    query: PageQuery,
    answer: { status: 200, schema: PageOf(NoteVersion), inPieces: true },
    audit: 'read',
    subjects,
    handle: async ({ caller, loaded, query }) =>
      listVersions(db, await keys.get(caller.tenant), { noteId: loaded.noteId, page: pageOfTen(query.page) }),
  })
  api.route({
    operation: 'widget.listMagicEdits',
    method: 'GET',
    path: '/sessions/{sessionId}/progress-note/magic-edits',
    load,
    query: PageQuery,
    answer: { status: 200, schema: PageOf(MagicEdit) },
    audit: 'read',
    subjects,
    handle: async ({ caller, loaded, query }) => {
      const { noteId } = loaded
      return listMagicEditsOfNote(db, await keys.get(caller.tenant), { noteId, page: pageOfTen(query.page) })
    },
  })
}

function registerChanges(api: WidgetApi, parts: NotesParts): void {
  const load = makeLoad(parts)
  type Source = { caller: WidgetCaller } & Pick<ChangeContext, 'actor' | 'requestId'>
  const edit = async (
    { caller: { tenant }, actor, requestId }: Source,
    work: (tenant: TenantScope, context: ChangeContext) => Promise<NoteRow>,
  ): Promise<Tagged<ProgressNote>> => {
    const context = await openChange(parts, tenant, { actor, requestId })
    return showNote(context.ring, await work(tenant, context))
  }
  const change = (
    source: Source,
    work: (tx: Tx, context: ChangeContext) => Promise<NoteRow>,
  ): Promise<Tagged<ProgressNote>> =>
    edit(source, (tenant, context) =>
      parts.db.write(tenant, async (tx) => {
        const row = await work(tx, context)
        await requireReadable(tx, source.caller, row)
        return row
      }),
    )
  const findTalk = async (tenant: TenantScope, { sessionId }: NoteRow) =>
    parts.findTalk(await parts.keys.get(tenant), sessionId)
  api.route({
    operation: 'widget.changeNote',
    method: 'PATCH',
    path: '/sessions/{sessionId}/progress-note',
    load,
    body: NotePatch,
    answer: { status: 200, schema: ProgressNote },
    audit: 'change',
    handle: ({ loaded, body, ifMatch, ...source }) =>
      edit(source, (tenant, context) =>
        changeNote(parts, tenant, context, loaded, {
          patch: body,
          ifMatch,
          findTalk: () => findTalk(tenant, loaded),
          requireAccess: (tx) => requireReadable(tx, source.caller, loaded),
        }),
      ),
  })
  api.route({
    operation: 'widget.magicEditNote',
    method: 'POST',
    path: '/sessions/{sessionId}/progress-note/magic-edit',
    load,
    body: MagicEditRequest,
    answer: { status: 202, schema: ProgressNote },
    audit: 'change',
    handle: ({ loaded, body, ...source }) =>
      change(source, (tx, context) => magicEditNote(tx, context, loaded.noteId, body.userInstructions)),
  })
  api.route({
    operation: 'widget.regenerateNote',
    method: 'POST',
    path: '/sessions/{sessionId}/progress-note/regenerate',
    load,
    body: NoteRegeneration,
    answer: { status: 202, schema: ProgressNote },
    audit: 'change',
    handle: ({ loaded, body, ...source }) => {
      return change(source, async (tx, context) =>
        regenerateNote(tx, context, loaded.noteId, await chooseForNote(tx, loaded.sessionId, body)),
      )
    },
  })
  api.route({
    operation: 'widget.finalizeNote',
    method: 'POST',
    path: '/sessions/{sessionId}/progress-note/finalize',
    load,
    body: NoteSigning,
    answer: { status: 200, schema: ProgressNote },
    audit: 'change',
    handle: ({ loaded, body, ifMatch, ...source }) => {
      const { openDangerReason: given = null, openDangerItemIds: shownIds = [] } = body
      const reason = given === null ? null : readReason('openDangerReason', given)
      return edit(source, (tenant, context) =>
        signNote(parts, tenant, context, loaded, {
          rule: { isAskedFor: true, reason, shownIds },
          surface: 'widget',
          ifMatch,
          expectsCoSignature: body.expectsCoSignature ?? null,
          requireAccess: (tx) => requireReadable(tx, source.caller, loaded),
          findUnreadWords: () => findUnreadWords(parts.db, context.ring, loaded.sessionId),
        }),
      )
    },
  })
  api.route({
    operation: 'widget.addAddendum',
    method: 'POST',
    path: '/sessions/{sessionId}/progress-note/addenda',
    load,
    body: AddendumRequest,
    answer: { status: 201, schema: ProgressNote },
    audit: 'change',
    handle: ({ loaded, body, ...source }) =>
      change(source, async (tx, context) => (await addAddendum(tx, context, loaded.noteId, body)).row),
  })
  api.route({
    operation: 'widget.restoreNote',
    method: 'POST',
    path: '/sessions/{sessionId}/progress-note/restore',
    load,
    body: NoteRestoration,
    answer: { status: 200, schema: ProgressNote },
    audit: 'change',
    handle: ({ loaded, body, ...source }) =>
      edit(source, (tenant, context) =>
        restoreNote(parts, tenant, context, loaded, {
          version: body.version,
          sectionKeys: body.sectionKeys ?? null,
          findTalk: () => findTalk(tenant, loaded),
          requireAccess: (tx) => requireReadable(tx, source.caller, loaded),
        }),
      ),
  })
}
