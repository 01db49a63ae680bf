export { describeSummary, findSummaryOfSession } from './read-summary.js'
export { deleteSummary, emptySummary, selectSummaryMaker } from './summaries.sql.js'
export { saveSummary } from './save-summary.js'
export { registerSummaries } from './summaries.routes.js'
