import { isId, type ActorId, type ClinicianId } from '../ids.js'

/** The check constraint of `audit_pending` names the same. */
export type ActorKind = 'partner' | 'clinician' | 'client' | 'operator' | 'system'

/** Who acts. What is not known is left out, and stands in no entry. */
export interface Actor {
  kind: ActorKind
  /** Who it is; for an operator, the operating system's user. */
  id: ActorId | null
  /** The name that an operator gave: what is known of them is `id`. */
  as?: string
  /**
   * The network address, as `sealAddress` or, of what came by a client's link, `sealAddressOfClient` gives it: whoever has a copy of the
   * database does not learn where clients live.
   */
  from?: string | undefined
}

/** Their id is a clinician's. */
export const isClinician = (
  actor: Pick<Actor, 'kind' | 'id'>,
): actor is { kind: 'clinician'; id: ClinicianId | null } => actor.kind === 'clinician'

/** Ids and names of operations only: the log must not become another place where health data lies. */
export interface AuditEntry {
  operation: string
  actor: Actor
  requestId: string | null
  /** The records that were seen or changed. */
  subjects: readonly string[]
  /** Only of what was refused: the HTTP status of the answer. */
  status?: number
  /** Only of what stands for several entries. */
  count?: number
}

/** Who makes a change and in which request: what a use case is told; the rest of the entry it knows itself. */
export type ChangeSource = Pick<AuditEntry, 'actor' | 'requestId'>

/** The text that is hashed and stored. JSON.stringify escapes line breaks, NUL and lone surrogates: any text fits. */
export const writeBody = (
  atMs: number,
  { operation, actor: { kind, id, as, from }, requestId, status, count }: Omit<AuditEntry, 'subjects'>,
): string =>
  // What is undefined is not written: entries without it read as they always did.
  JSON.stringify({ at: writeTime(atMs), operation, actor: { kind, id, as, from }, requestId, status, count })

const lastTime = { ms: Number.NaN, text: '' }

/** Under load many entries share a millisecond, and writing it takes as long as all the rest of the body. */
function writeTime(ms: number): string {
  if (ms !== lastTime.ms) {
    lastTime.text = new Date(ms).toISOString()
    lastTime.ms = ms
  }
  return lastTime.text
}

/**
 * PostgreSQL's own spelling of the array, so that `subject_ids::text` gives back what was hashed. A subject that is no
 * id is refused here: in the statement it would fail the whole batch, other tenants' entries included.
 */
export function writeSubjects(subjects: readonly string[]): string {
  for (const subject of subjects) {
    if (!isId(subject)) throw new Error('a subject of an audit entry is not an id')
  }
  return `{${subjects.join(',')}}`
}
