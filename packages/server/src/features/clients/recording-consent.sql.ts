/** Of the client, or of who speaks for them. */
const ofClient = `relation in ('self', 'guardian')`

/** Whether the last word of a guardian is a "no": then the client's own "yes" does not count. */
export const hasGuardianRefused = (tenantId: string, clientId: string): string =>
  `coalesce((select not g.is_given from casenote.recording_consents g where g.tenant_id = ${tenantId} and g.client_id = ${clientId}
    and g.relation = 'guardian' order by g.seq desc limit 1), false)`

/**
 * What holds for a client, as a scalar: the same as `stateOf` of the consents. The last word that counts decides, which a "yes" of another one
 * in the room is not; and where it is a "no", whether anybody had agreed before.
 */
export const recordingConsentOf = (tenantId: string, clientId: string): string =>
  `coalesce((select case when l.is_given then case when ${hasGuardianRefused('l.tenant_id', 'l.client_id')} then 'withdrawn' else 'given' end
    when exists (select from casenote.recording_consents e
      where e.tenant_id = l.tenant_id and e.client_id = l.client_id and e.is_given and e.${ofClient} and e.seq < l.seq) then 'withdrawn' end
    from casenote.recording_consents l where l.tenant_id = ${tenantId} and l.client_id = ${clientId}
      and (not l.is_given or l.${ofClient}) order by l.seq desc limit 1), 'none')`

/** Whether anybody took a consent back since then, also where somebody has agreed again. */
export const wasWithdrawnSince = (tenantId: string, clientId: string, since: string): string =>
  `exists (select from casenote.recording_consents n where n.tenant_id = ${tenantId} and n.client_id = ${clientId}
    and not n.is_given and n.recorded_at >= ${since})`
