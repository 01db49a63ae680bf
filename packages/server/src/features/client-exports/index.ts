export type { ExportFile, ExportParts } from './export-parts.js'
export { listExportFiles } from './list-export-files.js'
