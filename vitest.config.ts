import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './packages/server/test/support/longest-first.js'

/**
 * They measure the processor time, the loop or the memory of their process, which must be theirs alone; or load the frame in
 * another language, which its modules read once.
 */
const filesAlone = [
  'server/test/engines/checker/linear-time',
  'server/test/engines/speech/recording-problems',
  'server/test/engines/text/doubled-text',
  'server/test/guarded-fetch/download',
  'server/test/loop/console',
  'server/test/loop/endpoints',
  'server/test/loop/export',
  'server/test/loop/hearing',
  'server/test/loop/jobs',
  'server/test/loop/key-store',
  'server/test/pipeline/held-up',
  'server/test/webhooks/send-delivery',
  'widget/test/frame/engine/word-answer',
].map((name) => `packages/${name}.test.ts`)

const common = {
  resolve: {
    alias: {
      '@casenote/contract': fileURLToPath(new URL('packages/contract/src/index.ts', import.meta.url)),
      '@casenote/sdk': fileURLToPath(new URL('packages/sdk/src/index.ts', import.meta.url)),
    },
  },
  test: {
    setupFiles: ['packages/server/test/support/after-each-file.ts'],
    pool: 'forks',
    // For what hangs, not for what is slow: a busy machine takes ten times as long. Longer than `waitUntil` waits, which
    // says what it waited for.
    testTimeout: 480_000,
    hookTimeout: 480_000,
    // On a slow machine beside three other tests one of thousands misses a limit that the product gives itself, each time another; what is wrong
    // fails every time.
    retry: 2,
    // As `waitUntil` does; the second that is the default is short for a browser on a busy machine.
    expect: { poll: { timeout: 120_000 } },
  },
}

export default defineConfig({
  test: {
    // Once for all projects.
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    // More than the two cores that there are at least: tests wait for leases, kills, child processes and browsers. With six the processors had no
    // more to do, and each test took so much longer that it ran out of the time that the product gives itself.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: common.resolve,
        test: {
          ...common.test,
          name: 'together',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: filesAlone,
          // Each file on its own would load the whole program anew: half of the processor time of all tests. Files share
          // nothing but modules, which keep no state of a test.
          isolate: false,
        },
      },
      {
        resolve: common.resolve,
        test: { ...common.test, name: 'alone', include: filesAlone },
      },
    ],
  },
})
