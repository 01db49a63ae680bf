export {
  resumePartner,
  setLimits,
  setNothingTwice,
  setPartnerErasure,
  setNotReadyStatus,
  setOrigins,
  setRequiresConsent,
  setSigningChecks,
  setSignIn,
  setQuotas,
  suspendPartner,
} from './administer-partner.js'
export { makeClientSecrets } from './client-secrets.js'
export { createPartner, newPartnerSecrets, type NewPartner } from './create-partner.js'
export { makeGuesses } from './guesses.js'
export { readPartnerToken } from './authenticate-partner.js'
export { makePartnerDirectory } from './partner-directory.js'
export { registerPartners } from './partners.routes.js'
export {
  selectAllTenants,
  selectTenantIds,
  selectTenantStandings,
  selectAllUsage,
  selectMostUsing,
  selectPartnerLetIn,
  selectTenant,
  settleSandbox,
  type ClinicianUsage,
  type HomeOnlyPartner,
  type Quotas,
  type TenantRow,
} from './partners.sql.js'
export { boundRotations, retireOlderSecrets, rotateKey, rotateSecret } from './rotate-credentials.js'
export { selectKeyStandings, selectLimitStanding, selectStoredByDay, selectToday } from './standing.sql.js'
