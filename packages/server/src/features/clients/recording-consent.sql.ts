import type { ClientId, TenantId } from '../../kernel/ids.js'

/** A word of the client, or of who speaks for them. */
const ofClient = `relation in ('self', 'guardian')`

/** Only what was said by then; null: all of it. */
const saidBy = (alias: string, at: string | null): string =>
  at === null ? '' : ` and ${alias}.recorded_at <= ${at}`

/** Whether the last word of a guardian is a "no": then the client's own "yes" does not count. */
export const hasGuardianRefused = (
  tenantId: TenantId,
  clientId: ClientId,
  at: string | null = null,
): string =>
  `coalesce((select not g.is_given from casenote.recording_consents g where g.tenant_id = ${tenantId} and g.client_id = ${clientId}
    and g.relation = 'guardian'${saidBy('g', at)} order by g.seq desc limit 1), false)`

/**
 * What holds for a client, as a scalar: the same as `stateOf` of the consents. The last word that counts decides, which a "yes" of another one
 * in the room is not; and where it is a "no", whether anybody had agreed before. With `at`: what was so then.
 */
export const recordingConsentOf = (
  tenantId: TenantId,
  clientId: ClientId,
  at: string | null = null,
): string =>
  `coalesce((select case when l.is_given then case when ${hasGuardianRefused('l.tenant_id', 'l.client_id', at)} then 'withdrawn' else 'given' end
    when exists (select from casenote.recording_consents e
      where e.tenant_id = l.tenant_id and e.client_id = l.client_id and e.is_given and e.${ofClient} and e.seq < l.seq) then 'withdrawn' end
    from casenote.recording_consents l where l.tenant_id = ${tenantId} and l.client_id = ${clientId}
      and (not l.is_given or l.${ofClient})${saidBy('l', at)} order by l.seq desc limit 1), 'none')`

/**
 * What holds for the recording of a session of the widget, as a scalar. `withdrawn` also where anybody took a consent back since it began,
 * or where there was none then: who agrees again agrees to what comes. It begins with the recorder, which may have been without a network when
 * its session could have been opened. Whoever dictates records nobody else, and needs nobody's consent. A frame of before tells when by a clock that nobody knows: of that only what was taken back counts.
 */
export const recordingConsentDuring = (session: string): string => {
  const [tenantId, clientId] = [`${session}.tenant_id`, `${session}.client_id`]
  const began = `least(${session}.created_at, coalesce(${session}.recorded_since, ${session}.started_at))`
  return `case when ${session}.source = 'dictated' then 'given'
    when exists (select from casenote.recording_consents n where n.tenant_id = ${tenantId} and n.client_id = ${clientId}
      and not n.is_given and n.recorded_at >= ${began}) then 'withdrawn'
    when ${session}.recorded_since is not null
      and ${recordingConsentOf(tenantId, clientId, `${session}.recorded_since`)} <> 'given' then 'withdrawn'
    else ${recordingConsentOf(tenantId, clientId)} end`
}
