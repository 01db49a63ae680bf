export {
  findClinicAnywhere,
  findOrganizationAnywhere,
  listOrganizationsForOperator,
  listUnitsForOperator,
  selectClinicStandings,
  selectProgramIds,
  type UnitRow,
} from './organizations.sql.js'
export { registerOrganizations } from './organizations.routes.js'
export { findOrganization, findUnit, toUnit } from './read-organizations.js'
export { provisionOrganization, provisionUnit } from './provision-organization.js'
