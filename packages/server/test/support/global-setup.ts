import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/kernel/db/migrate.js'
import { lockDataFolder, startEmbeddedPostgres } from '../../src/main/embedded-postgres/index.js'
import { findOrInstallChromium } from './open-browser.js'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { migrateUrl: string; databaseUrl: string; dispatcherUrl: string; superuserUrl: string }
  }
}

/** One PostgreSQL for the whole run; its migrated database is the template that every test file clones. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // Once, before the files run side by side; without one the browser's tests skip by name.
  findOrInstallChromium()
  const dataDir = await mkdtemp(join(tmpdir(), 'casenote-test-'))
  // Under root the server runs as another user, who must be able to walk here; else its cluster goes elsewhere.
  await chmod(dataDir, 0o711)
  const lock = await lockDataFolder(dataDir, { command: 'test' })
  const server = await startEmbeddedPostgres({
    dataDir,
    log: { info: () => {}, warn: () => {} },
    // Durability is the subject of the kill tests, which start servers of their own.
    settings: { fsync: 'off', max_connections: '450' },
  })
  const { migrateUrl, databaseUrl, dispatcherUrl, superuserUrl } = server
  await migrate({ migrateUrl, databaseUrl, dispatcherUrl, report: () => {} })
  project.provide('postgres', { migrateUrl, databaseUrl, dispatcherUrl, superuserUrl })
  return async () => {
    await server.stop()
    await lock.release()
    await rm(dataDir, { recursive: true, force: true })
  }
}
