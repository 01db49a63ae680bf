export { registerClientBriefs } from './client-briefs.routes.js'
export { listTimeline } from './list-timeline.js'
export { readBrief, type BriefParts } from './read-brief.js'
