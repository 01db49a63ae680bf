export { renderLayout } from './render-layout.js'
export { makeSearchIndex, renderNotFound, renderSite } from './render-site.js'
