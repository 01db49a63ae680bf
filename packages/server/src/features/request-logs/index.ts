export { RequestLogWriter, type AnsweredRequest } from './request-log.js'
export { purgeRequestLogs } from './request-logs.sql.js'
export { registerRequestLogs } from './request-logs.routes.js'
