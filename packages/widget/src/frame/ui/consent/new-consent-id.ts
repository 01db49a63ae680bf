/** Sent again because the answer was lost, it is the same consent. Nothing where the page is not secure: browsers make none up there. */
export const newConsentId = (): { consentId?: string } =>
  isSecureContext ? { consentId: crypto.randomUUID() } : {}
