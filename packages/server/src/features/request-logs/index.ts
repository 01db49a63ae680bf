export { listNewestRequests } from './read-request-logs.js'
export { RequestLogWriter } from './request-log.js'
export {
  countRecentRequests,
  countRequestsByDay,
  countRequestsByMinute,
  purgeRequestLogs,
  type LogCursor,
} from './request-logs.sql.js'
export { registerRequestLogs } from './request-logs.routes.js'
