export { registerMdm } from './mdm.routes.js'
export { describeMdm, findMdm } from './read-mdm.js'
export { saveMdm } from './save-mdm.js'
