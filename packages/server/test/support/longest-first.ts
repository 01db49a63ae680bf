import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longer than some twenty seconds, the longest first. */
const longFiles = [
  'browser/screens',
  'deploy/release',
  'loop/jobs',
  'loop/endpoints',
  'loop/export',
  'main/conformance',
  'main/backup-drill',
  'docs/guides',
  'webhooks/kills',
  'main/stranger',
  'main/erasure-drill',
  'main/webhook-listen',
  'main/start',
  'main/partitions',
  'main/master-key-source',
  'main/sandbox-home',
  'loop/edits-at-once',
  'webhooks/leases',
  'engines/models/local-model',
  'widget/recorded-sessions',
  'engines/speech/transcribe-recording',
  'browser/console-screens',
  'browser/recording',
  'widget/audio-clips',
  'browser/note-screen',
  'main/by-hand',
  'main/sandbox-commands',
  'browser/docs',
  'engines/reader/open-reader',
  'engines/speech/recording-formats',
  'browser/recording-devices',
  'engines/reader/findings',
  'browser/demo',
  'engines/speech/recording-problems',
  'pipeline/test-recordings',
  'engines/openai-writer',
  'pipeline/worker-kills',
  'blobs/kill',
  'browser/screens-behaviour',
  'pipeline/join-kills',
  'main/not-ready',
  'pipeline/outages',
  'browser/screens-review',
  'pipeline/cut-off',
  'engines/speech/mutated-recordings',
  'main/prove-command',
  'main/token-crash',
  'docs/reference',
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
