export { registerStrikes } from './strikes.routes.js'
export { strikeStretch } from './strike-stretch.js'
