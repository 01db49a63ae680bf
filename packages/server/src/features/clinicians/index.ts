export { createClinician } from './create-clinician.js'
export { findClinician } from './find-clinician.js'
