export { registerMdm } from './mdm.routes.js'
export { describeMdm, findMdm } from './read-mdm.js'
export { deleteMdm, emptyMdm } from './mdm.sql.js'
export { saveMdm } from './save-mdm.js'
