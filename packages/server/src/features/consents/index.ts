export { addText, listTexts, readTextFor } from './consent-texts.js'
export { registerConsents } from './consents.routes.js'
export { selectConsented, selectConsentHistory, type ConsentedRow } from './consents.sql.js'
export { describeConsent, readPerson } from './describe-consent.js'
export { giveConsent } from './give-consent.js'
export { makeConsentLink } from './make-link.js'
export {
  findConsent,
  hasConsent,
  isConsentedDuring,
  isConsentBroken,
  lacksAskedConsent,
  readNewestConsents,
  refuseWithdrawn,
  requireConsent,
  requireConsentIfAsked,
} from './read-consents.js'
export { readSignedTexts, showConsent, type SignedText } from './read-signed-texts.js'
export { withdrawAll, withdrawConsent } from './withdraw-consent.js'
