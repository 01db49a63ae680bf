export {
  resumePartner,
  setLimits,
  setNothingTwice,
  setNotReadyStatus,
  setOrigins,
  setSignIn,
  setQuotas,
  suspendPartner,
} from './administer-partner.js'
export { makeClientSecrets } from './client-secrets.js'
export { createPartner, newPartnerSecrets, type NewPartner } from './create-partner.js'
export { makeGuesses } from './guesses.js'
export { readPartnerToken } from './authenticate-partner.js'
export { makePartnerDirectory, type KnownPartner } from './partner-directory.js'
export { registerPartners } from './partners.routes.js'
export {
  selectAllTenants,
  selectAllUsage,
  selectMostUsing,
  selectPartnerLetIn,
  selectTenant,
  settleSandbox,
  type HomeOnlyPartner,
  type Quotas,
  type TenantRow,
  type Usage,
} from './partners.sql.js'
export { rotateKey, rotateSecret } from './rotate-credentials.js'
export {
  selectKeyStandings,
  selectLimitStanding,
  type KeyStandingRow,
  type LimitStandingRow,
} from './standing.sql.js'
