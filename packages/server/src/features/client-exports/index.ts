export type { ExportFile, ExportParts } from './export-parts.js'
export { listExportFiles } from './list-export-files.js'
export { registerClientExports, type ClientExportsParts } from './client-exports.routes.js'
export { makeExportHandlers } from './make-export.js'
