import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longer than some twenty seconds, the longest first. */
const longFiles = [
  'loop/endpoints',
  'loop/jobs',
  'pipeline/pipeline',
  'webhooks/kills',
  'main/conformance',
  'main/sandbox-home',
  'browser/screens',
  'main/start',
  'main/webhook-listen',
  'widget/recorded-sessions',
  'browser/demo',
  'browser/recording',
  'main/partitions',
  'main/not-ready',
  'main/external-database',
  'webhooks/leases',
  'browser/answer-on-a-phone',
  'main/token-crash',
  'browser/recording-devices',
  'engines/speech/transcribe-recording',
  'engines/speech/mutated-recordings',
  'engines/speech/recording-formats',
  'browser/screens-behaviour',
  'browser/right-chart',
  'main/tour-and-watch',
  'pipeline/worker-kills',
  'embedded-postgres/survive',
  'audit/tampering',
  'embedded-postgres/start',
  'browser/recording-kills',
  'browser/recording-screen',
  'widget/audio-clips',
  'pipeline/join-kills',
  'client-mail/client-mail',
]

/** A long file that starts last runs on alone. A fresh clone has no durations of earlier runs to go by. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = longFiles.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return index === -1 ? longFiles.length : index
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- it is a sequencer's, not an array's
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
