import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longer than ten seconds on two idle cores, the longest first. */
const longFiles = [
  'pipeline/pipeline',
  'webhooks/kills',
  'browser/recording',
  'main/webhook-listen',
  'browser/answer-on-a-phone',
  'blobs/blob-lifecycle',
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
