export { DataFolderBusy, lockDataFolder, type DataFolderLock } from './data-folder-lock.js'
export { findEmbeddedPostgres } from './find.js'
export { EmbeddedPostgresProblem } from './problem.js'
export { startEmbeddedPostgres, type EmbeddedPostgres } from './start.js'
