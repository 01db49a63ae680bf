export {
  resumePartner,
  setLimits,
  setNotReadyStatus,
  setOrigins,
  suspendPartner,
} from './administer-partner.js'
export { makeClientSecrets } from './client-secrets.js'
export { createPartner, newPartnerSecrets, type NewPartner } from './create-partner.js'
export { makePartnerDirectory, type KnownPartner } from './partner-directory.js'
export { registerPartners } from './partners.routes.js'
export { selectAllTenants, selectTenant, type TenantRow } from './partners.sql.js'
export { rotateKey, rotateSecret } from './rotate-credentials.js'
