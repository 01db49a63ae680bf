export { foldEmail } from './clinician-rules.js'
export { registerClinicians } from './clinicians.routes.js'
export {
  clinicianColumns,
  findClinicianAnywhere,
  lockClinicianShared,
  selectCliniciansOfOrganization,
  updateActive,
  type ClinicianRow,
} from './clinicians.sql.js'
export { createClinician } from './create-clinician.js'
export { findClinician, toClinician } from './find-clinician.js'
export { requireActive } from './require-active.js'
export { selectClinicianStandings } from './clinician-lists.sql.js'
