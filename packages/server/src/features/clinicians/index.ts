export { registerClinicians } from './clinicians.routes.js'
export { clinicianColumns, selectCliniciansOfOrganization, type ClinicianRow } from './clinicians.sql.js'
export { createClinician } from './create-clinician.js'
export { findClinician, toClinician } from './find-clinician.js'
