export { setPrimaryUrl } from './set-primary-url.js'
export { selectPrimaryUrl } from './webhook-endpoints.sql.js'
export { registerWebhooks } from './webhooks.routes.js'
