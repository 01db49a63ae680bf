export { registerStrikes } from './strikes.routes.js'
export { strikeStretch, type Striker } from './strike-stretch.js'
