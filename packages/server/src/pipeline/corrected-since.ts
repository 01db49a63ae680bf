import { readCorrected } from '../features/transcripts/index.js'
import type { SessionJob } from '../jobs/jobs.sql.js'
import type { Tx } from '../kernel/db/database.js'
import type { PipelineParts } from './pipeline-parts.js'

/** The mark of the transcript before a step reads it. */
export const readMark = async (parts: PipelineParts, job: SessionJob): Promise<string | null> =>
  (await parts.db.write(job, (tx) => readCorrected(tx, job.subjectId))).mark

/** Whoever put something right while the step ran could not ask for it: a job that runs is left as it is. */
export const isCorrectedSince = async (
  tx: Tx,
  { subjectId }: SessionJob,
  mark: string | null,
): Promise<boolean> => (await readCorrected(tx, subjectId)).mark !== mark
