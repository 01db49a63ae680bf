import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './packages/server/test/support/longest-first.js'

export default defineConfig({
  resolve: {
    alias: {
      '@casenote/contract': fileURLToPath(new URL('packages/contract/src/index.ts', import.meta.url)),
    },
  },
  test: {
    include: ['packages/*/test/**/*.test.ts'],
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    setupFiles: ['packages/server/test/support/after-each-file.ts'],
    pool: 'forks',
    // Two cores: PostgreSQL needs one of them.
    maxWorkers: 2,
    // Each file on its own would load the whole program anew: half of the processor time of all tests. Files share
    // nothing but modules, which keep no state of a test.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // For what hangs, not for what is slow: a busy machine takes ten times as long. Longer than `waitUntil` waits, which
    // says what it waited for.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
