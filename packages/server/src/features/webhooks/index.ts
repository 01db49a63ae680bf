export { findDigestHeaderProblems } from './find-endpoint-problems.js'
export { setPrimaryEndpoint } from './set-primary-endpoint.js'
export { selectPrimaryUrl } from './webhook-endpoints.sql.js'
export { registerWebhooks, type WebhookParts } from './webhooks.routes.js'
export { observeQueue } from './dispatch/dispatch-metrics.js'
export {
  describeQueue,
  purgeDeliveries,
  purgeDeliveriesBesideHolds,
  purgeDeliveriesOfMovedClocks,
  type EndpointQueue,
} from './dispatch/dispatch.sql.js'
export { WebhookDispatcher } from './dispatch/dispatcher.js'
export { countDeliveriesByDay, selectDeliveriesKnownFrom } from './delivery-lists.sql.js'
export {
  countNewestDeliveries,
  describeTries,
  listEndpointStandings,
  listNewestDeliveries,
} from './list-newest.js'
export { boundSince, recoverEndpoint, resendDelivery } from './queue-deliveries.js'
export { findDelivery } from './read-deliveries.js'
export { findEndpoint } from './read-endpoints.js'
