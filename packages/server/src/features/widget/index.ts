export { registerClinicianTokens, registerWidget, type WidgetParts } from './widget.routes.js'
export { purgeWidgetSessions } from './widget-sessions.sql.js'
