export { registerMdm } from './mdm.routes.js'
export { saveMdm } from './save-mdm.js'
