import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longer than some twenty seconds, the longest first. */
const longFiles = [
  'deploy/release',
  'main/conformance',
  'browser/screens',
  'docs/guides',
  'pipeline/live',
  'main/backup-drill',
  'main/erasure-drill',
  'loop/endpoints',
  'loop/export',
  'pipeline/bad-recordings',
  'main/stranger',
  'loop/jobs',
  'webhooks/kills',
  'main/sandbox-home',
  'browser/demo',
  'pipeline/test-recordings',
  'main/prove-command',
  'audit/tampering',
  'browser/live-lines',
  'console/test/screens',
  'widget/audio-clips',
  'main/start',
  'browser/recording-devices',
  'browser/note-typing',
  'widget/recorded-sessions',
  'browser/other-side',
  'pipeline/strikes',
  'engines/speech/transcribe-recording',
  'main/sandbox-commands',
  'engines/models/local-model',
  'main/master-key-source',
  'browser/recording',
  'browser/console',
  'browser/screens-behaviour',
  'main/webhook-listen',
  'pipeline/live-kill',
  'browser/right-chart',
  'webhooks/leases',
  'browser/docs',
  'engines/speech/recording-problems',
  'browser/answer-on-a-phone',
  'main/partitions',
  'main/silent-store',
  'main/hanging-folder',
  'engines/text/doubled-text',
  'pipeline/outages',
  'loop/console',
  'blobs/kill',
  'main/tour-and-watch',
  'engines/reader/open-reader',
  'engines/speech/recording-formats',
  'loop/edits-at-once',
  'embedded-postgres/start',
  'console/console-users',
  'console/console-rights',
  'pipeline/cut-off',
  'client-exports/cut-off',
  'engines/text/replayed-attacks',
  'pipeline/worker-kills',
  'browser/recording-screen',
  'docs/reference',
  'pipeline/join-kills',
  'main/token-crash',
  'pipeline/held-up',
  'loop/hearing',
  'browser/note-screen',
  'main/by-hand',
  'pipeline/languages',
  'embedded-postgres/survive',
  'pipeline/pipeline',
  'browser/screens-danger',
  'blobs/blob-lifecycle',
  'main/not-ready',
  'pipeline/struck-joins',
  'engines/checker/note-checker',
  'http/generated-requests',
  'browser/start-page',
  'browser/screens-spanish',
  'pipeline/jobs',
  'browser/consent',
  'browser/off-record',
  'engines/checker/linear-time',
  'engines/reader/findings',
  'main/backup-parts',
  'main/prove',
  'browser/recording-kills',
]

/**
 * A long file that starts last runs on alone. A fresh clone has no durations of earlier runs to go by. Files with a process of
 * their own come before all others: behind one that shares its process, each would end that process, and what it has loaded
 * would be loaded again by the next.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const index = longFiles.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      const place = index === -1 ? longFiles.length : index
      return project.config.isolate ? place : place + longFiles.length + 1
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- it is a sequencer's, not an array's
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
