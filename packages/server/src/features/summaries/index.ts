export { saveSummary } from './save-summary.js'
export { registerSummaries } from './summaries.routes.js'
