export { renderLayout } from './render-layout.js'
export { makeSearchIndex, renderSite } from './render-site.js'
