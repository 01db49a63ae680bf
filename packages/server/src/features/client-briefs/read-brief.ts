import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  briefDangerMax,
  briefHomeworkMax,
  briefPointsMax,
  type BriefScore,
  type ClientBrief,
} from '@casenote/contract'
import { templateFor } from '../../engines/writer/templates/built-in-templates.js'
import { findHolder } from '../../engines/writer/templates/note-template.js'
import type { Database } from '../../kernel/db/database.js'
import type { ClientId } from '../../kernel/ids.js'
import type { TenantKeyRing, TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { readTrends, type Instruments } from '../assessments/index.js'
import { listOpenDangerOfClient } from '../danger/index.js'
import { findLastEmptied, findLastWritten, readSections } from '../progress-notes/index.js'
import { findActivePlan } from '../treatment-plans/index.js'
import { findHomework } from '../transcripts/index.js'

export interface BriefParts {
  db: Database
  keys: TenantKeys
  instruments: Instruments
}

/** What is read in the minute before a session: how the last one ended, and what is open. */
export async function readBrief(
  parts: BriefParts,
  tenant: TenantScope,
  clientId: ClientId,
): Promise<ClientBrief> {
  const { db, keys } = parts
  const ring = await keys.get(tenant)
  const [lastSession, emptiedSession, danger, scores, plan] = await Promise.all([
    readLastSession(db, ring, clientId),
    readEmptiedSession(db, tenant, clientId),
    listOpenDangerOfClient(db, ring, { clientId, clinicianId: null }),
    readScores(parts, tenant, clientId),
    findActivePlan(db, ring, clientId),
  ])
  return {
    clientId,
    lastSession,
    emptiedSession,
    openDanger: {
      items: danger.items.slice(0, briefDangerMax).map(({ id, label, question, words, sessionId, at }) => ({
        id,
        label,
        question,
        words,
        sessionId,
        at,
      })),
      total: danger.total,
    },
    scores,
    goals: (plan?.goals ?? [])
      .filter(({ status }) => status === 'open')
      .map(({ id, text, targetDate }) => ({ id, text, targetDate })),
  }
}

/** What a brief tells of the newest session whose note is written, signed or not. */
async function readLastSession(
  db: Database,
  ring: TenantKeyRing,
  clientId: ClientId,
): Promise<ClientBrief['lastSession']> {
  const last = await findLastWritten(db, { tenantId: ring.tenantId }, clientId)
  if (last === null) return null
  const { note, happenedAt } = last
  await nextTurn()
  const planKey = findHolder(templateFor(note), 'plan')
  const plan =
    readSections(ring, note)
      .find(({ key }) => key === planKey)
      ?.content.trim() ?? ''
  return {
    sessionId: note.sessionId,
    progressNoteId: note.progressNoteId,
    at: happenedAt.toISOString(),
    noteType: note.noteType,
    signedAt: (note.signedAt ?? note.finalizedAt)?.toISOString() ?? null,
    plan: plan === '' ? null : plan,
    homework: await findHomework(db, ring, note.sessionId, briefHomeworkMax),
  }
}

/** Nobody may take an older plan for the newest: the newest may have been struck. */
async function readEmptiedSession(
  db: Database,
  tenant: TenantScope,
  clientId: ClientId,
): Promise<ClientBrief['emptiedSession']> {
  const emptied = await findLastEmptied(db, tenant, clientId)
  return emptied === null ? null : { sessionId: emptied.sessionId, at: emptied.happenedAt.toISOString() }
}

async function readScores(
  { db, keys, instruments }: BriefParts,
  tenant: TenantScope,
  clientId: ClientId,
): Promise<BriefScore[]> {
  const trends = await readTrends({ db, keys, instruments }, tenant, clientId)
  return trends.flatMap(({ assessmentId, name, scoreMin, scoreMax, points }) => {
    const last = points.at(-1)
    if (last === undefined) return []
    const { score, severityName, completedAt, change, reliableChange } = last
    const line = points.slice(-briefPointsMax).map((point) => ({ at: point.completedAt, score: point.score }))
    return [
      {
        assessmentId,
        name,
        score,
        severityName,
        completedAt,
        change,
        reliableChange,
        scoreMin,
        scoreMax,
        points: line,
      },
    ]
  })
}
