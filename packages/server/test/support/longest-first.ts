import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longer than some twenty seconds, the longest first. */
const longFiles = [
  'docs/guides',
  'deploy/release',
  'engines/models/local-model',
  'webhooks/kills',
  'loop/endpoints',
  'browser/screens',
  'main/start',
  'widget/recorded-sessions',
  'main/conformance',
  'engines/speech/transcribe-recording',
  'main/webhook-listen',
  'browser/console-screens',
  'browser/recording',
  'widget/audio-clips',
  'browser/note-screen',
  'browser/docs',
  'engines/reader/open-reader',
  'engines/speech/recording-formats',
  'main/backup-drill',
  'main/master-key-source',
  'browser/recording-devices',
  'engines/reader/findings',
  'browser/demo',
  'main/partitions',
  'main/sandbox-home',
  'engines/speech/recording-problems',
  'pipeline/test-recordings',
  'webhooks/leases',
  'engines/openai-writer',
  'pipeline/worker-kills',
  'blobs/kill',
  'browser/screens-behaviour',
  'loop/jobs',
  'pipeline/join-kills',
  'main/not-ready',
  'pipeline/outages',
  'browser/screens-review',
  'pipeline/cut-off',
  'engines/speech/mutated-recordings',
  'main/prove-command',
  'browser/recording-screen',
  'embedded-postgres/survive',
  'browser/note-typing',
  'browser/answer-on-a-phone',
  'main/tour-and-watch',
  'browser/recording-kills',
  'embedded-postgres/start',
  'browser/recording-crashes',
  'audit/tampering',
  'browser/right-chart',
  'browser/start-page',
  'pipeline/pipeline',
  'browser/screens-danger',
  'pipeline/held-up',
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
