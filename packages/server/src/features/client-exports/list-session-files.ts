import { createHash } from 'node:crypto'
import type { ProgressNote, Session } from '@casenote/contract'
import { EngineFault } from '../../engines/engine-fault.js'
import { BlobMissing, findBlob, makeBlobReader, readPart } from '../../kernel/blobs/index.js'
import type { BlobId, SessionId } from '../../kernel/ids.js'
import { describeMdm, findMdm } from '../mdm/index.js'
import {
  findNoteOfSession,
  listMagicEditsOfNote,
  listReturns,
  listVersions,
  readGoals,
  showNote,
  type NoteRow,
} from '../progress-notes/index.js'
import { readPad } from '../session-pads/index.js'
import {
  describeSession,
  findContext,
  findText,
  listSessionRows,
  type SessionRow,
} from '../sessions/index.js'
import { describeSummary, findSummaryOfSession } from '../summaries/index.js'
import { describeTranscript, findTranscript, listCorrectedItems } from '../transcripts/index.js'
import { inOnePiece, textFile, type ExportContext, type SessionFacts } from './export-context.js'
import type { ExportFile } from './export-parts.js'
import type { ExportedRecording, ExportedSession } from './exported-session.js'
import { kindOfRecording } from './recording-kind.js'
import { throughPages, writeJson } from './write-json.js'
import { toNotePaper } from './write-note-text.js'

/** Rows without their texts. */
const sessionsOfPage = 50

/** A page of the longest versions has ten megabytes. */
const versionsOfPage = 10

export const goThroughSessions = ({
  parts: { db },
  tenant,
  client,
}: ExportContext): AsyncGenerator<SessionRow> =>
  throughPages((page) => listSessionRows(db, tenant, { clientId: client.id, page }), sessionsOfPage)

/** For each session its JSON, the versions of its note, the note on paper, and the recording as it came. */
export async function* listSessionFiles(context: ExportContext): AsyncGenerator<ExportFile> {
  let done = 0
  for await (const row of goThroughSessions(context)) {
    yield* listFilesOf(context, row)
    done += 1
    context.onSession(done)
  }
}

/** What was recorded under the wrong client is not about this one: of such a session only that there was one is told. */
const isOfAnother = ({ failureCode }: SessionRow): boolean => failureCode === 'withdrawn'

async function* listFilesOf(context: ExportContext, row: SessionRow): AsyncGenerator<ExportFile> {
  const { parts, tenant, names } = context
  const session = showSession(context, row)
  const name = `${sessionAt(session).slice(0, 10)}-${session.id}`
  const path = `sessions/${name}.json`
  const facts: SessionFacts = {
    path,
    pdf: null,
    recording: null,
    isRecordingMissing: false,
    isEditedByHand: false,
  }
  context.facts.set(session.id, facts)
  await names.clinicianOf(session.clinicianId)
  await names.clinicOf(session.clinicId, session.organizationId)
  if (isOfAnother(row)) {
    yield textFile(path, () => writeJson({ session }))
    return
  }
  const note = await findNoteOfSession(parts.db, tenant, session.id)
  // Before the JSON, which tells whether they are whole.
  yield* listRecording(context, row, { name, facts })
  const pdf = note === null || note.status === 'failed' ? null : await typeset(context, note, session)
  if (pdf !== null) {
    const sha1 = createHash('sha1').update(pdf).digest('base64')
    facts.pdf = { path: `notes/${name}.pdf`, sizeBytes: pdf.length, sha1 }
  }
  yield textFile(path, () => writeSession(context, session, facts))
  const pad = await readPad(parts.db, tenant, context.ring, session.id)
  // In a file of its own: what a clinician jotted down for themselves is not everywhere the client's to have.
  if (pad.text !== '' || pad.markers.length > 0)
    yield textFile(`sessions/${name}.pad.json`, () => writeJson({ pad }))
  if (note === null || note.status === 'failed') return
  yield textFile(`sessions/${name}.versions.json`, () => writeVersions(context, note, facts))
  if (pdf !== null && facts.pdf !== null)
    yield { path: facts.pdf.path, source: null, isText: false, open: () => inOnePiece(pdf) }
}

/** The address is as good as a password to the recording, which may lie there still: it is nobody's to hand on. */
const showSession = ({ ring }: ExportContext, row: SessionRow): Session => ({
  // Who else was there is not this person's to take along.
  ...describeSession(ring, { ...row, sharedFrom: null, linkedSessions: [] }),
  fileUrl: null,
})

const sessionAt = ({ startedAt, createdAt }: Session): string => startedAt ?? createdAt

async function readNote({ ring }: ExportContext, row: NoteRow | null): Promise<ProgressNote | null> {
  return row === null ? null : (await showNote(ring, row)).answer
}

async function* writeSession(
  context: ExportContext,
  session: Session,
  { recording, isRecordingMissing, pdf }: SessionFacts,
): AsyncGenerator<Buffer> {
  const { parts, tenant, ring } = context
  const { db } = parts
  const [transcript, note, mdm, summary] = await Promise.all([
    findTranscript(db, tenant, session.id),
    findNoteOfSession(db, tenant, session.id),
    findMdm(db, tenant, session.id),
    findSummaryOfSession(db, tenant, session.id),
  ])
  yield* writeJson({
    session,
    context: await readContext(context, session.id),
    text: await findText(db, ring, session.id),
    recording: isRecordingMissing ? { ...recording, missing: true } : recording,
    pdf: pdf?.path ?? null,
    transcript: transcript === null ? null : describeTranscript(ring, transcript),
    correctedItems: await listCorrectedItems(db, ring, session.id),
    progressNote: await readNote(context, note),
    // In the note they are ids.
    goals: note === null ? [] : readGoals(ring, note),
    returns: note === null ? [] : await listReturns(db, ring, note.noteId),
    mdm: mdm === null ? null : describeMdm(ring, mdm),
    summary: summary === null ? null : describeSummary(ring, summary),
  })
}

/** Null: nobody told anything. */
async function readContext({ parts, ring }: ExportContext, sessionId: SessionId) {
  const { context, updatedAt } = await findContext(parts.db, ring, sessionId)
  return updatedAt === null ? null : { ...context, updatedAt: updatedAt.toISOString() }
}

async function* writeVersions(
  { parts, ring }: ExportContext,
  { noteId }: NoteRow,
  facts: SessionFacts,
): AsyncGenerator<Buffer> {
  const { db } = parts
  async function* versions() {
    const readPage = async (page: { number: number; size: number }) =>
      (await listVersions(db, ring, { noteId, page })).data
    for await (const version of throughPages(readPage, versionsOfPage)) {
      if (version.origin === 'edit') facts.isEditedByHand = true
      yield version
    }
  }
  const readEdits = async (page: { number: number; size: number }) =>
    (await listMagicEditsOfNote(db, ring, { noteId, page })).data
  yield* writeJson({ versions: versions(), magicEdits: throughPages(readEdits, versionsOfPage) })
}

/** Null: there is no text to set, or this one cannot be set: the JSON and the bundle have it all the same. */
async function typeset(context: ExportContext, row: NoteRow, session: Session): Promise<Buffer | null> {
  const { parts, tenant, client, names } = context
  const note = await readNote(context, row)
  if (note === null || note.isLoading || note.note.length === 0) return null
  const { firstName, lastName } = await names.clinicianOf(session.clinicianId)
  const paper = toNotePaper(note, {
    client,
    clinician: `${firstName} ${lastName}`,
    sessionAt: sessionAt(session),
  })
  try {
    return await parts.typesetter.typeset(paper, tenant.tenantId)
  } catch (error) {
    // Another attempt would meet it again; one note must not deny all the others.
    if (error instanceof EngineFault) return null
    throw error
  }
}

/** Null: there is none, it is not here yet, or its days are over. */
async function findRecording(
  { parts, tenant }: ExportContext,
  { audioBlobId }: SessionRow,
  name: string,
): Promise<ExportedRecording | null> {
  if (audioBlobId === null) return null
  const blob = await findBlob(parts.blobs, tenant, audioBlobId)
  if (blob?.status !== 'complete' || blob.parts[0] === undefined) return null
  if (blob.parts.length !== blob.partCount) throw new BlobMissing(audioBlobId)
  const { ending, mediaType } = kindOfRecording(
    await readPart(parts.blobs, tenant, audioBlobId, blob.parts[0].partNumber),
  )
  const sizeBytes = blob.parts.reduce((sum, part) => sum + part.sizeBytes, 0)
  return { path: `recordings/${name}.${ending}`, mediaType, sizeBytes }
}

/** What the store has lost must not deny the rest: what comes before the lost part is there, and the JSON says that it is not all. */
async function* listRecording(
  context: ExportContext,
  row: SessionRow,
  { name, facts }: { name: string; facts: SessionFacts },
): AsyncGenerator<ExportFile> {
  try {
    facts.recording = await findRecording(context, row, name)
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error
    facts.isRecordingMissing = true
  }
  const { audioBlobId } = row
  if (facts.recording !== null && audioBlobId !== null)
    yield recordingFile(context, audioBlobId, { recording: facts.recording, facts })
}

function recordingFile(
  { parts, tenant }: ExportContext,
  audioBlobId: BlobId,
  { recording, facts }: { recording: ExportedRecording; facts: SessionFacts },
): ExportFile {
  const read = makeBlobReader(parts.blobs, tenant, audioBlobId)
  async function* open(): AsyncGenerator<Buffer> {
    let sizeBytes = 0
    try {
      for await (const piece of read() as AsyncIterable<Buffer>) {
        sizeBytes += piece.length
        yield piece
      }
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error
      facts.isRecordingMissing = true
      facts.recording = { ...recording, sizeBytes }
      // The next attempt may find all of it.
      file.source = null
    }
  }
  const file: ExportFile = { path: recording.path, source: audioBlobId, isText: false, open }
  return file
}

/** Reads a session once more, for the bundle: two reads of a session cost less than the memory for all of them. */
export async function readExportedSession(
  context: ExportContext,
  row: SessionRow,
): Promise<ExportedSession | null> {
  const { parts, tenant, ring } = context
  const facts = context.facts.get(row.sessionId)
  // Made since its files were written: it is of the next export.
  if (facts === undefined) return null
  const session = showSession(context, row)
  const nothing = { session, path: facts.path, hasTranscript: false, summary: null, note: null }
  if (isOfAnother(row)) return { ...nothing, isEditedByHand: false, recording: null }
  const [transcript, noteRow, summary] = await Promise.all([
    findTranscript(parts.db, tenant, session.id),
    findNoteOfSession(parts.db, tenant, session.id),
    findSummaryOfSession(parts.db, tenant, session.id),
  ])
  const note = await readNote(context, noteRow)
  for (const signer of [note?.signedBy, note?.coSignedBy])
    if (signer?.kind === 'clinician') await context.names.clinicianOf(signer.id)
  const isWritten = note !== null && !note.isLoading && note.note.length > 0
  return {
    ...nothing,
    hasTranscript: (transcript?.sealedItems ?? null) !== null,
    summary: summary === null ? null : describeSummary(ring, summary),
    note: isWritten ? { note, pdf: facts.pdf } : null,
    isEditedByHand: facts.isEditedByHand,
    recording: facts.recording,
  }
}
