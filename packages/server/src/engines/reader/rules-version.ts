/** Raised when a rule gives something else for the same transcript. */
export const RULES_VERSION = 'rules-18'
